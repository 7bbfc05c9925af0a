import { LatchkeyError } from '@latchkey/protocol'
import { siweCalls } from '@latchkey/protocol/host'
import type { DialogServices } from '../../app/services.ts'
import type { HostPage } from '../../browser/ports.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { PayFromWallet } from '../../contract/funds.ts'
import type { MethodCode } from '../../contract/login.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { appName, iconAddress, type Settings } from '../../host/settings.ts'
import { askConnected } from './connection/ask-connected.ts'
import { connectOnly } from './connection/connect-only.ts'
import { createPaymentCall } from './connection/paying.ts'
import type { WalletConnectSettings } from './lazy/walletconnect/walletconnect.ts'
import type { OpenConnector } from './sources/connector.ts'
import type { ReturnedTo } from './sources/found-wallets.ts'
import { createWalletSources, type Device } from './sources/sources.ts'
import { walletMethod } from './wallet-login.ts'

/** The ports of a capability with a connected host page. */
type WalletPorts = CapabilityPorts & { page: HostPage }

export type Wallets = {
  method: MethodCode
  served: ServedHostCalls<keyof typeof siweCalls>
  pay: PayFromWallet
  /** Asks the page for its wallets ahead of a login. */
  look: () => Promise<void>
  /** Continues a login that began in another browser. */
  resume: (wallet: ReturnedTo) => Promise<void>
}

export function createWallets(
  ports: WalletPorts,
  device: Device = { userAgent: navigator.userAgent, address: location.href },
  relay: OpenConnector = openWalletConnect(ports, new URL(device.address).origin),
): Wallets {
  const sources = createWalletSources(ports, device, relay)
  return {
    method: walletMethod(ports, sources),
    served: {
      rows: siweCalls,
      handlers: {
        connectWallet: (asked, { signal }) => connectOnly(ports, sources, asked, signal),
        connectedWalletRequest: (asked, { signal }) => askConnected(ports, sources.held, asked, signal),
        async disconnectWallet({ address }) {
          await sources.held.end(address)
          return {}
        },
      },
    },
    pay: (card, payment) => card.interrupt(createPaymentCall(ports, sources, payment)),
    look: () => sources.inTime(sources.look()),
    async resume(wallet) {
      sources.returnTo(wallet)
      try {
        await ports.logIn({ signal: new AbortController().signal })
      } catch {
        // No caller waits for this login. The host gets events of a successful one.
      } finally {
        sources.takeReturn()
      }
    },
  }
}

/** The chain of a host that names none: Ethereum. */
const usualChainId = 1

/** Loads the client on demand, because it is larger than the rest of the dialog. */
const openWalletConnect =
  ({ settings, clock }: Pick<DialogServices, 'settings' | 'clock'>, dialogOrigin: string): OpenConnector =>
  async () => {
    const [{ createWalletConnect }, { openLink }] = await Promise.all([
      import('./lazy/walletconnect/walletconnect.ts'),
      import('./lazy/walletconnect/sign-client.ts'),
    ])
    return createWalletConnect(toWalletConnectSettings(settings(), dialogOrigin), { clock, openLink })
  }

function toWalletConnectSettings(settings: Settings, dialogOrigin: string): WalletConnectSettings {
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
    // The relay limits the length, which a data URL exceeds.
    asker: { name: appName(settings), url: hostOrigin ?? dialogOrigin, icon: iconAddress(settings) },
    chainIds: chainIds.length === 0 ? [usualChainId] : [...new Set(chainIds)],
  }
}
