import { siweCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import type { MethodCode } from '../../core/login.ts'
import { connectOnly } from './connect-only.ts'
import type { OpenConnector } from './connector.ts'
import type { ReturnedTo } from './found-wallets.ts'
import { createWalletSources, type Device } from './sources.ts'
import { walletMethod } from './wallet-login.ts'
import { openWalletConnect } from './walletconnect/open.ts'

export type Wallets = {
  readonly method: MethodCode
  readonly served: MoreServed<keyof typeof siweCalls>
  /** Asks for the page's wallets before anybody does. */
  readonly look: () => Promise<void>
  /** Goes on by itself with a login that was begun elsewhere. */
  readonly goOn: (wallet: ReturnedTo) => Promise<void>
}

export function createWallets(
  ports: CapabilityPorts,
  device: Device = { userAgent: navigator.userAgent, origin: location.origin },
  relay: OpenConnector = openWalletConnect(ports, device.origin),
): Wallets {
  const sources = createWalletSources(ports, device, relay)
  return {
    method: walletMethod(ports, sources),
    served: {
      rows: siweCalls,
      handlers: {
        connectWallet: (asked, { signal }) => connectOnly(ports, sources, asked, signal),
      },
    },
    look: sources.look,
    async goOn(wallet) {
      sources.returnTo(wallet)
      try {
        await ports.logIn({ signal: new AbortController().signal })
      } catch {
        // Whoever listens at the host hears of the login as of any other; that it was not one, nobody asked.
      } finally {
        sources.takeReturn()
      }
    },
  }
}
