import type { Capability } from '../capability.ts'

export const attempts: Capability = {
  name: 'attempts',
  expiries: [{ table: 'attempts', key: ['key'], column: 'expires_at', keptSeconds: 0 }],
}
