import type { Capability } from '../../kernel/capability.ts'
import { analyticsLimits } from './limits.ts'
import { analyticsEndpoints } from './routes.ts'
import { beyondKeptBytes } from './store.ts'

export const analytics: Capability = {
  name: 'analytics',
  endpoints: analyticsEndpoints,
  expiries: [
    {
      table: 'analytics_events',
      key: ['id'],
      column: 'created_at',
      keptSeconds: analyticsLimits.keptSeconds,
    },
    beyondKeptBytes,
  ],
}
