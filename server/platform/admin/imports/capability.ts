import type { Capability } from '../../../kernel/capability.ts'
import { importEndpoints } from './calls.ts'
import { importLimits } from './limits.ts'
import { findLeftovers } from './store.ts'
import { importMigrations } from './tables.ts'

export const imports: Capability = {
  name: 'admin/imports',
  adminEndpoints: importEndpoints,
  migrations: importMigrations,
  // A report names users until it expires.
  userRows: [{ table: 'import_rows', goes: 'by age' }],
  // An import would continue without its operator.
  restored: { drops: ['imports', 'import_parts', 'import_chunks', 'import_rows', 'import_claims'] },
  expiryRules: [
    findLeftovers,
    { table: 'imports', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
    {
      table: 'import_parts',
      key: ['import_id', 'part'],
      column: 'created_at',
      retentionSeconds: importLimits.recordsKeptSeconds,
    },
    {
      table: 'import_chunks',
      key: ['upload', 'chunk'],
      column: 'created_at',
      retentionSeconds: importLimits.recordsKeptSeconds,
    },
    {
      table: 'import_rows',
      key: ['import_id', 'part', 'line'],
      column: 'created_at',
      retentionSeconds: importLimits.keptSeconds,
    },
    {
      table: 'import_claims',
      key: ['import_id', 'type', 'identifier'],
      column: 'created_at',
      retentionSeconds: importLimits.recordsKeptSeconds,
    },
  ],
}
