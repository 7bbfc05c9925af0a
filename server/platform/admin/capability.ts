import type { Capability } from '../../kernel/capability.ts'
import { appEndpoints } from './app-calls.ts'
import { auditEndpoints } from './audit-calls.ts'
import { adminEnvironment } from './environment.ts'
import { adminServerLimits } from './limits.ts'
import { proposalEndpoints } from './proposal-calls.ts'
import { adminMigrations, withAdminTables } from './tables.ts'
import { userEndpoints } from './user-calls.ts'

export const admin: Capability = {
  name: 'admin',
  adminEndpoints: [...userEndpoints, ...appEndpoints, ...proposalEndpoints, ...auditEndpoints],
  environment: adminEnvironment,
  migrations: adminMigrations,
  // The entries form a chain, so single ones cannot be deleted with their user.
  userRows: [
    { table: 'admin_audit', goes: 'by age' },
    { table: 'factor_resets', goes: 'with the account', by: ['user_id'] },
  ],
  restored: {
    // A proposal may have been cancelled since the backup.
    drops: ['admin_answers', 'app_proposals', 'factor_resets'],
    // Keys that were revoked since the backup would be valid again.
    amend: async (writer, { nowSeconds }) => {
      await withAdminTables(writer)
        .updateTable('admin_keys')
        .set({ revoked_at: nowSeconds })
        .where('revoked_at', 'is', null)
        .execute()
    },
  },
  expiryRules: [
    { table: 'factor_resets', key: ['user_id'], column: 'expires_at', retentionSeconds: 0 },
    {
      table: 'admin_keys',
      key: ['id'],
      column: 'expires_at',
      retentionSeconds: adminServerLimits.keyKeptSeconds,
    },
    {
      table: 'app_proposals',
      key: ['id'],
      column: 'expires_at',
      retentionSeconds: adminServerLimits.proposalKeptSeconds,
    },
    { table: 'admin_answers', key: ['key_id', 'idempotency_key'], column: 'expires_at', retentionSeconds: 0 },
    {
      table: 'admin_audit',
      key: ['chain', 'sequence'],
      column: 'at',
      retentionSeconds: adminServerLimits.auditKeptSeconds,
    },
  ],
}
