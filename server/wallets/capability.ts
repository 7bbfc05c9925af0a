import type { Capability } from '../capability.ts'
import { walletEndpoints } from './routes.ts'
import { destroyWallets } from './store.ts'
import { walletMigrations } from './tables.ts'

export const wallets: Capability = {
  name: 'wallets',
  endpoints: walletEndpoints,
  settings: [
    'embeddedWalletConfig.createOnLogin',
    'embeddedWalletConfig.requireUserOwnedRecoveryOnCreate',
    'embeddedWalletConfig.requireUserPasswordOnCreate',
    'embeddedWalletConfig.hostKeyImport',
    'embeddedWalletConfig.userOwnedRecoveryOptions.user-passcode',
    // Every request to a wallet is shown to its user, so what would enforce that is kept.
    'enforceWalletUis',
  ],
  migrations: walletMigrations,
  forget: destroyWallets,
  expiries: [
    {
      table: 'wallet_reshares',
      key: ['id'],
      column: 'expires_at',
      keptSeconds: 0,
    },
  ],
}
