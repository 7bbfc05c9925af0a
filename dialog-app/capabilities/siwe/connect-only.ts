/** The host's call `connectWallet`: a wallet for the page, and nobody logged in by it. */
import { dialogLimits, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { MoreAnswer, MoreData } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { screen, sendTo, showPart } from '../../core/screen.ts'
import { type Connected, createConnection } from './connection.ts'
import { messageCode } from './message-code.ts'
import type { OfferedWallet } from './offered-wallets.ts'
import {
  awaitingConnectOnlyScreen,
  connectOnlyScreen,
  connectOnlyUserScreen,
  installScreen,
  walletRow,
} from './screens.ts'
import type { WalletSources } from './sources.ts'

type Answer = MoreAnswer<'connectWallet'>

/** What can not be, the host hears without a card. */
export async function connectOnly(
  ports: CapabilityPorts,
  sources: WalletSources,
  { suggestedAddress }: MoreData<'connectWallet'>,
  signal: AbortSignal,
): Promise<Answer> {
  if (!ports.settings().app.walletAuth) {
    throw new LatchkeyError('disallowed_login_method', 'This app has no wallets')
  }
  const user = await ports.session.user({ signal })
  return ports.stage.begin(
    (handle) => createConnectFlow(ports, sources, handle, { user, suggestedAddress }),
    signal,
  )
}

type Asked = { readonly user: UserRecord | null; readonly suggestedAddress: string | undefined }

function createConnectFlow(
  ports: CapabilityPorts,
  sources: WalletSources,
  handle: FlowHandle<Answer>,
  { user, suggestedAddress }: Asked,
): RunningFlow<Answer> {
  const record = user ? connectOnlyUserScreen : connectOnlyScreen
  /** Why it did not come to a connection, where more than the user's leaving is known. */
  let problem: LatchkeyError | undefined

  const row = (wallet: OfferedWallet | undefined) =>
    showPart(
      walletRow,
      { wallet, isLastUsed: wallet !== undefined && wallet.key === sources.lastUsed() },
      sendTo({ choose: () => (wallet ? connection.choose(wallet) : showGuide()) }, () =>
        handle.isUsable(record),
      ),
    )
  const showGuide = () => handle.go(screen(installScreen, { wallet: undefined }, {}))

  function list() {
    const offered = sources.offered()
    const entries = offered.length > 0 ? offered.map(row) : [row(undefined)]
    return screen(record, { entries, isUser: user !== null, suggestedAddress }, {})
  }

  const connection = createConnection(ports, sources, {
    card: handle,
    record: awaitingConnectOnlyScreen,
    chosen() {
      problem = undefined
      ports.load(messageCode.load).catch(() => {})
    },
    use: connected,
    tells: () => false,
    failed(error) {
      problem = error
    },
    startOver: () => handle.restart(list()),
    leave: () => handle.end(),
  })

  async function connected({ wallet, connector, account, show, isPresent }: Connected) {
    const { getAddress } = await ports.load(messageCode.load)
    if (!isPresent()) return
    sources.remember(wallet)
    show({ status: 'connected' })
    handle.settle(
      done({
        wallet: {
          type: 'wallet',
          address: getAddress(account.address),
          chainType: 'ethereum',
          chainId: `eip155:${account.chainId}`,
          walletClientType: account.peer?.walletClientType ?? wallet.key,
          connectorType: connector.connectorType,
        },
      }),
    )
    handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
  }

  return {
    kind: 'connect',
    async run() {
      const looking = sources.look()
      looking.then(() => handle.update(list()))
      await sources.briefly(looking)
      handle.go(list())
    },
    onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
  }
}
