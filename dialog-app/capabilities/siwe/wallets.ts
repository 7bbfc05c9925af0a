import { siweCalls } from '@latchkey/protocol/host'
import type { HostPage } from '../../browser/ports.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import type { PayFromWallet } from '../../contract/wallet-payment.ts'
import type { MoreServed } from '../../host/host-calls.ts'
import { connectOnly } from './connect-only.ts'
import type { OpenConnector } from './connector.ts'
import type { ReturnedTo } from './found-wallets.ts'
import { openWalletConnect } from './open-walletconnect.ts'
import { createPaymentFlow } from './paying.ts'
import { createWalletSources, type Device } from './sources.ts'
import { walletMethod } from './wallet-login.ts'

/** With a page that is there. */
type WalletPorts = CapabilityPorts & { readonly page: HostPage }

export type Wallets = {
  readonly method: MethodCode
  readonly served: MoreServed<keyof typeof siweCalls>
  readonly pay: PayFromWallet
  /** Asks for the page's wallets before anybody does. */
  readonly look: () => Promise<void>
  /** Goes on by itself with a login that was begun elsewhere. */
  readonly resume: (wallet: ReturnedTo) => Promise<void>
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
      },
    },
    pay: (card, payment) => card.interrupt((handle) => createPaymentFlow(ports, sources, handle, payment)),
    look: sources.look,
    async resume(wallet) {
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
