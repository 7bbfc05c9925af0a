import type { Capability } from '../../../kernel/capability.ts'
import { operatorEndpoints } from './calls.ts'
import { operatorLimits } from './limits.ts'
import { operatorMigrations, withOperatorTables } from './tables.ts'

export const operators: Capability = {
  name: 'admin/operators',
  adminEndpoints: operatorEndpoints,
  migrations: operatorMigrations,
  wrapped: [{ table: 'operator_oidc', column: 'client_secret' }],
  restored: {
    drops: ['operator_invitations', 'operator_passkeys', 'operator_sessions'],
    // Operators that were revoked since the backup would be valid again.
    amend: async (writer, { nowSeconds }) => {
      await withOperatorTables(writer)
        .updateTable('operators')
        .set({ revoked_at: nowSeconds })
        .where('revoked_at', 'is', null)
        .execute()
    },
  },
  expiryRules: [
    {
      table: 'operators',
      key: ['id'],
      column: 'revoked_at',
      retentionSeconds: operatorLimits.revokedKeptSeconds,
    },
    { table: 'operator_invitations', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'operator_sessions', key: ['token_hash'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
