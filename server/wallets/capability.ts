import type { Capability } from '../capability.ts'
import { walletEndpoints } from './routes.ts'

export const wallets: Capability = {
  name: 'wallets',
  endpoints: walletEndpoints,
  settings: ['embeddedWalletConfig.createOnLogin'],
}
