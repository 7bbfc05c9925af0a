import type { Capability } from '../../kernel/capability.ts'
import { walletEndpoints } from './routes.ts'
import { destroyWallets, skipGenerations } from './store.ts'
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
    'solanaBesideEthereum',
  ],
  migrations: walletMigrations,
  activity: {
    'wallet.created': { kind: 'created' },
    'wallet.imported': { kind: 'imported' },
    'wallet.recovered': { kind: 'recovered' },
    'wallet.recovery_set': { kind: 'recovery_set' },
    'wallet.key_exported': { kind: 'exported' },
  },
  wrapped: ['wallets', 'wallet_reshares'].flatMap((table) => [
    { table, column: 'auth_share' },
    { table, column: 'recovery_share' },
  ]),
  // Other recovery methods store other data in this column.
  peppered: ['wallets', 'wallet_reshares'].map((table) => ({
    table,
    column: 'recovery_access',
    where: { column: 'recovery_method', is: 'user-passcode' },
  })),
  forget: destroyWallets,
  userRows: [
    // A wallet that was begun while its user was being deleted.
    { table: 'wallets', goes: 'with the last row', key: ['id'], column: 'created_at' },
    { table: 'recovery_passkeys', goes: 'with the account', by: ['app_id', 'user_id'] },
  ],
  restored: {
    drops: ['wallet_reshares', 'recovery_passkeys'],
    // Devices may hold shares of generations created after the backup. Their numbers must not be reused.
    amend: skipGenerations,
  },
  expiryRules: [
    {
      table: 'wallet_reshares',
      key: ['id'],
      column: 'expires_at',
      retentionSeconds: 0,
    },
    {
      table: 'recovery_passkeys',
      key: ['app_id', 'user_id', 'credential_id'],
      column: 'expires_at',
      retentionSeconds: 0,
    },
    { table: 'held_addresses', key: ['app_id', 'identifier'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
