import { LatchkeyError } from '@latchkey/protocol'
import type { FlowPorts } from '../../contract/ports.ts'
import { appName, iconAddress, type Settings } from '../../host/settings.ts'
import type { OpenConnector } from './connector.ts'
import type { WalletConnectSettings } from './lazy/walletconnect/walletconnect.ts'

/** Ethereum, for a host that names no chain. */
const usualChainId = 1

/** The client weighs more than the rest of the dialog, and comes when somebody wants it. */
export const openWalletConnect =
  ({ settings, clock }: Pick<FlowPorts, 'settings' | 'clock'>, dialogOrigin: string): OpenConnector =>
  async () => {
    const [{ createWalletConnect }, { openLink }] = await Promise.all([
      import('./lazy/walletconnect/walletconnect.ts'),
      import('./lazy/walletconnect/sign-client.ts'),
    ])
    return createWalletConnect(settingsOf(settings(), dialogOrigin), { clock, openLink })
  }

export function settingsOf(settings: Settings, dialogOrigin: string): WalletConnectSettings {
  const { app, config, addresses, hostOrigin } = settings
  const { walletConnect: relayUrl } = addresses
  const { walletConnectCloudProjectId: projectId } = app
  if (relayUrl === undefined || projectId === null) {
    throw new LatchkeyError('generic_connect_wallet_error', 'This app has no relay')
  }
  const chainIds = [config.defaultChain ?? [], config.supportedChains ?? []].flat()
  return {
    appId: app.id,
    projectId,
    relayUrl,
    // A picture inside of its address is too long for what the relay passes on.
    asker: { name: appName(settings), url: hostOrigin ?? dialogOrigin, icon: iconAddress(settings) },
    chainIds: chainIds.length === 0 ? [usualChainId] : [...new Set(chainIds)],
  }
}
