import type { Capability } from '../capability.ts'
import { keptLimits } from '../limits.ts'

export const audit: Capability = {
  name: 'audit',
  expiries: [{ table: 'audit_log', key: ['id'], column: 'created_at', keptSeconds: keptLimits.auditSeconds }],
}
