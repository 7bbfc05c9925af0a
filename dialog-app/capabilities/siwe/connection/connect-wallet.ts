/** Connects a wallet for the page without a login. */
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { ConnectInProgress, StartedMethod } from '../../../contract/login.ts'
import { awaitingConnectOnlyScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { type ChooseWallet, createWalletChoice, messageCode, rowsCode } from './choose-wallet.ts'
import type { Connected } from './use-wallet-connection.ts'

type ConnectOptions = Omit<ConnectInProgress, 'refreshRows'> & {
  /** The account address that the page prefers. */
  wanted?: string | undefined
  /** Keeps the connection after the card closes, because the page still uses the wallet. */
  isHeld?: boolean
}

export function createConnectChoice(
  ports: CapabilityPorts,
  sources: WalletSources,
  { card, wanted, isHeld = false, chosen, connected, failed, startOver, leave }: ConnectOptions,
): ChooseWallet {
  async function connect({ wallet, connector, account, show, isPresent }: Connected) {
    const { getAddress } = await ports.load(messageCode.load)
    if (!isPresent()) return
    sources.remember(wallet)
    show({ status: 'connected' })
    const address = getAddress(account.address)
    if (isHeld && connector.request) {
      sources.held.hold(address, { wallet, connector, appLink: sources.appOf(wallet, account) })
    }
    connected({
      type: 'wallet',
      address,
      chainType: 'ethereum',
      chainId: `eip155:${account.chainId}`,
      walletClientType: account.peer?.walletClientType ?? wallet.key,
      connectorType: connector.connectorType,
    })
  }

  return createWalletChoice(ports, sources, {
    card,
    screen: awaitingConnectOnlyScreen,
    wanted,
    onChosen() {
      chosen()
      ports.load(messageCode.load).catch(() => {})
    },
    use: connect,
    onFailed: (error) => failed?.(error),
    startOver,
    leave,
  })
}

export async function startConnecting(
  ports: CapabilityPorts,
  sources: WalletSources,
  progress: ConnectInProgress,
): Promise<StartedMethod> {
  const choose = createConnectChoice(ports, sources, progress)
  const looking = sources.look()
  looking.then(progress.refreshRows)
  const { walletRows } = await ports.load(rowsCode.load)
  await sources.briefly(looking)
  return walletRows(ports, sources, progress.card, choose)
}
