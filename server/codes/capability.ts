import type { Capability } from '../capability.ts'
import { keptLimits } from '../limits.ts'

export const codes: Capability = {
  name: 'codes',
  expiries: [
    {
      table: 'codes',
      key: ['app_id', 'purpose', 'identifier', 'binding'],
      column: 'expires_at',
      keptSeconds: 0,
    },
    {
      table: 'known_browsers',
      key: ['app_id', 'identifier', 'binding'],
      column: 'last_seen_at',
      keptSeconds: keptLimits.knownBrowserSeconds,
    },
  ],
}
