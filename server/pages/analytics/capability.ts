import { randomInt } from 'node:crypto'
import {
  type AnalyticsEventName,
  isCrossAppProvider,
  isOidcProvider,
  LatchkeyError,
  loginMethods,
} from '@latchkey/protocol'
import { analyticsRoutes } from '@latchkey/protocol/api'
import type { App } from '../../identity/apps/apps.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { Capability } from '../../kernel/capability.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { parseAnalyticsId } from '../../kernel/http/client.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { countEvent, countTable } from './counts.ts'
import { analyticsLimits } from './limits.ts'
import { statsEndpoints } from './stats-calls.ts'
import { insertEvent, nextPosition, type Slot, slotName, slotTables, surplusEvents } from './store.ts'

const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body, c }, context) => {
    await recordEvent(context, app, { ...body, clientId: body.clientId ?? parseAnalyticsId(c) ?? null })
    return { success: true }
  }),
]

export const analytics: Capability = {
  name: 'analytics',
  migrations: { '0001-slots': slotTables, '0002-counts': countTable },
  endpoints: analyticsEndpoints,
  adminEndpoints: statsEndpoints,
  userRows: [{ table: 'analytics_events', goes: 'by age' }],
  expiryRules: [
    {
      table: 'analytics_counts',
      key: ['app_id', 'hour', 'event_name', 'method', 'slot'],
      column: 'hour',
      retentionSeconds: analyticsLimits.countsKeptSeconds,
    },
    {
      table: 'analytics_events',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: analyticsLimits.eventsKeptSeconds,
    },
    surplusEvents,
  ],
}

type AnalyticsEvent = {
  eventName: AnalyticsEventName
  clientId: string | null
  payload: Readonly<Record<string, unknown>>
}

/** Counts an event of an app's dialog, and stores it if the app's settings say so. */
async function recordEvent(context: ServerContext, app: App, event: AnalyticsEvent): Promise<void> {
  const payload = JSON.stringify(event.payload)
  if (payload.length > analyticsLimits.maxPayloadLength) {
    throw new LatchkeyError('invalid_data', 'The payload is too large', { details: { path: 'payload' } })
  }
  const now = nowSeconds(context.clock)
  const slot = { appId: app.id, number: randomInt(analyticsLimits.slots) }
  await countEvent(context.db, {
    app_id: app.id,
    hour: now - (now % secondsPerHour),
    event_name: event.eventName,
    method: toMethod(event.payload.method),
    slot: slot.number,
  })
  if (app.storesEvents) await storeEvent(context, slot, { ...event, payload }, now)
}

const secondsPerHour = 3_600

/** Returns a name of a bounded set, because callers choose the text. Other texts count as no method. */
const toMethod = (method: unknown): string => {
  if (typeof method !== 'string') return ''
  if (isCrossAppProvider(method)) return 'cross_app'
  if (isOidcProvider(method)) return 'oidc'
  return loginMethods.some((known) => known === method) ? method : ''
}

/** Stores a single event. Rate limits and retention bound the table size. */
async function storeEvent(
  { db }: ServerContext,
  slot: Slot,
  { eventName, clientId, payload }: Omit<AnalyticsEvent, 'payload'> & { payload: string },
  now: number,
): Promise<void> {
  const { slots, eventsPerMinute, bytesBesidePayload } = analyticsLimits
  const allowance = await consume(db, {
    key: `analytics|${slotName(slot)}`,
    quotas: [{ limit: eventsPerMinute / slots, windowSeconds: 60 }],
    nowSeconds: now,
  })
  // Events above the rate limit are dropped: those that are stored stay representative without them.
  if (!allowance.allowed) return
  const bytes = Buffer.byteLength(payload) + bytesBesidePayload
  await insertEvent(db, {
    id: randomId(),
    app_id: slot.appId,
    event_name: eventName,
    client_id: clientId,
    user_id: null,
    payload,
    created_at: now,
    position: await nextPosition(db, slot, bytes),
    slot: slotName(slot),
  })
}
