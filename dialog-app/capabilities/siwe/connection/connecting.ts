/** A wallet is connected for the page, and nobody logs in by it: where a host asks for that, and on CONNECT_OR_CREATE. */
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { ConnectInProgress, StartedMethod } from '../../../contract/login.ts'
import { awaitingConnectOnlyScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { walletRows } from '../wallet-rows.ts'
import { type Connected, createConnection, messageCode } from './connection.ts'

export async function startConnecting(
  ports: CapabilityPorts,
  sources: WalletSources,
  progress: ConnectInProgress,
): Promise<StartedMethod> {
  const connection = createConnection(ports, sources, {
    card: progress.card,
    record: awaitingConnectOnlyScreen,
    wanted: progress.wanted,
    chosen() {
      progress.chosen()
      ports.load(messageCode.load).catch(() => {})
    },
    use: connected,
    tells: () => false,
    failed: (error) => progress.failed?.(error),
    startOver: progress.startOver,
    leave: progress.leave,
  })

  async function connected({ wallet, connector, account, show, isPresent }: Connected) {
    const { getAddress } = await ports.load(messageCode.load)
    if (!isPresent()) return
    sources.remember(wallet)
    show({ status: 'connected' })
    const address = getAddress(account.address)
    if (progress.goesOn && connector.request) {
      sources.held.hold(address, { wallet, connector, appLink: sources.appOf(wallet, account) })
    }
    progress.connected({
      type: 'wallet',
      address,
      chainType: 'ethereum',
      chainId: `eip155:${account.chainId}`,
      walletClientType: account.peer?.walletClientType ?? wallet.key,
      connectorType: connector.connectorType,
    })
  }

  const looking = sources.look(progress.wanted)
  looking.then(progress.refreshEntry)
  await sources.briefly(looking)
  return walletRows(sources, progress, connection.choose)
}
