import type { Capability } from '../../kernel/capability.ts'
import { removeNewPasskeys } from './recovery/passkey/store.ts'
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
    'embeddedWalletConfig.userOwnedRecoveryOptions.passkey',
  ],
  migrations: walletMigrations,
  async forget(trx, user) {
    await destroyWallets(trx, user)
    await removeNewPasskeys(trx, user)
  },
  expiries: [
    {
      table: 'wallet_reshares',
      key: ['id'],
      column: 'expires_at',
      keptSeconds: 0,
    },
    {
      table: 'recovery_passkeys',
      key: ['app_id', 'user_id', 'credential_id'],
      column: 'expires_at',
      keptSeconds: 0,
    },
    { table: 'held_addresses', key: ['app_id', 'identifier'], column: 'expires_at', keptSeconds: 0 },
  ],
}
