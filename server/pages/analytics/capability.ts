import { randomInt } from 'node:crypto'
import { type AnalyticsEventName, LatchkeyError } from '@latchkey/protocol'
import { analyticsRoutes } from '@latchkey/protocol/api'
import type { App } from '../../identity/apps/apps.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { Capability } from '../../kernel/capability.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { parseAnalyticsId } from '../../kernel/http/client.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { analyticsLimits } from './limits.ts'
import { insertEvent, nextPosition, slotName, slotTables, surplusEvents } from './store.ts'

const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body, c }, context) => {
    await recordEvent(context, app, { ...body, clientId: body.clientId ?? parseAnalyticsId(c) ?? null })
    return { success: true }
  }),
]

export const analytics: Capability = {
  name: 'analytics',
  migrations: { '0001-slots': slotTables },
  endpoints: analyticsEndpoints,
  userRows: [{ table: 'analytics_events', goes: 'by age' }],
  expiryRules: [
    {
      table: 'analytics_events',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: analyticsLimits.keptSeconds,
    },
    surplusEvents,
  ],
}

type AnalyticsEvent = {
  eventName: AnalyticsEventName
  clientId: string | null
  payload: Readonly<Record<string, unknown>>
}

/** Records an event from an app's dialog. Rate limits and retention bound the table size. */
async function recordEvent(context: ServerContext, app: App, event: AnalyticsEvent): Promise<void> {
  const payload = JSON.stringify(event.payload)
  if (payload.length > analyticsLimits.maxPayloadLength) {
    throw new LatchkeyError('invalid_data', 'The payload is too large', { details: { path: 'payload' } })
  }
  const now = nowSeconds(context.clock)
  const { slots, eventsPerMinute, bytesBesidePayload } = analyticsLimits
  const slot = { appId: app.id, number: randomInt(slots) }
  const allowance = await consume(context.db, {
    key: `analytics|${slotName(slot)}`,
    quotas: [{ limit: eventsPerMinute / slots, windowSeconds: 60 }],
    nowSeconds: now,
  })
  // Events above the rate limit are dropped: the statistics stay representative without them.
  if (!allowance.allowed) return
  const bytes = Buffer.byteLength(payload) + bytesBesidePayload
  await insertEvent(context.db, {
    id: randomId(),
    app_id: app.id,
    event_name: event.eventName,
    client_id: event.clientId,
    user_id: null,
    payload,
    created_at: now,
    position: await nextPosition(context.db, slot, bytes),
    slot: slotName(slot),
  })
}
