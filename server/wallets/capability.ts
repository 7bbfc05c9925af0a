import type { Capability } from '../capability.ts'
import { walletEndpoints } from './routes.ts'

export const wallets: Capability = {
  name: 'wallets',
  endpoints: walletEndpoints,
  // Every request to a wallet is shown to its user, so what would enforce that is kept.
  settings: ['embeddedWalletConfig.createOnLogin', 'enforceWalletUis'],
}
