import type { Capability } from '../../kernel/capability.ts'
import { keptLimits } from '../../kernel/limits.ts'

export const audit: Capability = {
  name: 'audit',
  expiries: [{ table: 'audit_log', key: ['id'], column: 'created_at', keptSeconds: keptLimits.auditSeconds }],
}
