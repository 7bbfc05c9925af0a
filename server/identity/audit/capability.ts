import type { Capability } from '../../kernel/capability.ts'
import { auditLimits } from './limits.ts'

export const audit: Capability = {
  name: 'audit',
  expiries: [{ table: 'audit_log', key: ['id'], column: 'created_at', keptSeconds: auditLimits.keptSeconds }],
}
