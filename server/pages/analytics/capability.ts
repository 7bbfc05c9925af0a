import { randomInt } from 'node:crypto'
import { type AnalyticsEventName, LatchkeyError } from '@latchkey/protocol'
import { analyticsRoutes } from '@latchkey/protocol/api'
import type { App } from '../../identity/apps/apps.ts'
import { take } from '../../kernel/attempts/attempts.ts'
import type { Capability } from '../../kernel/capability.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { analyticsIdOf } from '../../kernel/http/client.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { analyticsLimits } from './limits.ts'
import { beyondKeptBytes, insertEvent, nameOf, nextPosition, slotTables } from './store.ts'

const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body, c }, context) => {
    await recordEvent(context, app, { ...body, clientId: body.clientId ?? analyticsIdOf(c) ?? null })
    return { success: true }
  }),
]

export const analytics: Capability = {
  name: 'analytics',
  migrations: { '0001-slots': slotTables },
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

type AnalyticsEvent = {
  eventName: AnalyticsEventName
  clientId: string | null
  payload: Readonly<Record<string, unknown>>
}

/** Counts of what happens in an app's dialogs. Nobody waits for them, and nobody can fill the database with them. */
async function recordEvent(context: ServerContext, app: App, event: AnalyticsEvent): Promise<void> {
  const payload = JSON.stringify(event.payload)
  if (payload.length > analyticsLimits.maxPayloadLength) {
    throw new LatchkeyError('invalid_data', 'Too much for one event', { details: { path: 'payload' } })
  }
  const now = nowSeconds(context.clock)
  const { slots, eventsPerMinute, bytesBesidePayload } = analyticsLimits
  const slot = { appId: app.id, number: randomInt(slots) }
  const allowance = await take(context.db, {
    key: `analytics|${nameOf(slot)}`,
    budgets: [{ limit: eventsPerMinute / slots, windowSeconds: 60 }],
    nowSeconds: now,
  })
  // Above the budget a count is as good without this one.
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
    slot: nameOf(slot),
  })
}
