import type { Capability } from '../capability.ts'

export const attempts: Capability = {
  name: 'attempts',
  expiryRules: [{ table: 'attempts', key: ['key'], column: 'expires_at', retentionSeconds: 0 }],
}
