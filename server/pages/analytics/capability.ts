import { analyticsRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { analyticsIdOf } from '../../kernel/http/client.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { recordEvent } from './analytics.ts'
import { analyticsLimits } from './limits.ts'
import { beyondKeptBytes } from './store.ts'

const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body, c }, context) => {
    await recordEvent(context, app, { ...body, clientId: body.clientId ?? analyticsIdOf(c) ?? null })
    return { success: true }
  }),
]

export const analytics: Capability = {
  name: 'analytics',
  endpoints: analyticsEndpoints,
  userRows: [{ table: 'analytics_events', goes: 'by age' }],
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
