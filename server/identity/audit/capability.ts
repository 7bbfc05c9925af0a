import type { Capability } from '../../kernel/capability.ts'

/** How long entries are kept, for incident analysis. */
const auditLimits = { keptSeconds: 365 * 86_400 } as const

export const audit: Capability = {
  name: 'audit',
  userRows: [{ table: 'audit_log', goes: 'with the last row', key: ['id'], column: 'created_at' }],
  expiryRules: [
    { table: 'audit_log', key: ['id'], column: 'created_at', retentionSeconds: auditLimits.keptSeconds },
  ],
}
