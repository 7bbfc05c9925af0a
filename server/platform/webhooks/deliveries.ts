/** The statements of deliveries: leases, outcomes, lists and replays. */
import { adminLimits, ownEvents, type WebhookEventType } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import {
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
  type WebhookEventRow,
  type WebhookRow,
  withOutboxTables,
} from '../../identity/outbox/outbox.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { isPostgres } from '../../kernel/db/is-postgres.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { webhookLimits } from './limits.ts'

type DeliveryKey = { webhookId: string; eventId: string }

/** A delivery that this process may attempt until its lease ends. */
export type LeasedDelivery = DeliveryKey & {
  lease: string
  /** The number of this attempt. */
  attempt: number
  /** Undefined if it was deleted meanwhile. */
  webhook: WebhookRow | undefined
  body: string | undefined
}

/**
 * Leases due deliveries by the clock of the database. A process that ends without an outcome loses its lease, and the
 * delivery is attempted again.
 */
export async function leaseDeliveries(
  { db, transaction, clock }: Pick<ServerContext, 'db' | 'transaction' | 'clock'>,
  limit: number,
  busyWebhooks: string[],
): Promise<LeasedDelivery[]> {
  const nowMs = clock.nowMs()
  const selectDue = (reader: Reader) => {
    const due = withOutboxTables(reader)
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'event_id'])
      .where('due_at_ms', '<=', nowMs)
      .orderBy('due_at_ms')
      .limit(limit)
    return busyWebhooks.length === 0 ? due : due.where('webhook_id', 'not in', busyWebhooks)
  }
  // A read first, because an idle server would otherwise write once a second.
  if ((await selectDue(db).limit(1).execute()).length === 0) return []
  return transaction(async (trx) => {
    const due = isPostgres(trx) ? selectDue(trx).forUpdate().skipLocked() : selectDue(trx)
    const keys = await due.execute()
    if (keys.length === 0) return []
    const lease = randomId()
    const leased = await withOutboxTables(trx)
      .updateTable('webhook_deliveries')
      .set((delivery) => ({
        lease,
        due_at_ms: nowMs + webhookLimits.leaseMs,
        attempts: delivery('attempts', '+', 1),
      }))
      .where((delivery) =>
        delivery.or(
          keys.map(({ webhook_id: webhookId, event_id: eventId }) =>
            delivery.and([delivery('webhook_id', '=', webhookId), delivery('event_id', '=', eventId)]),
          ),
        ),
      )
      .returning(['webhook_id', 'event_id', 'attempts'])
      .execute()
    const webhooks = await withOutboxTables(trx)
      .selectFrom('webhooks')
      .selectAll()
      .where('id', 'in', [...new Set(leased.map((row) => row.webhook_id))])
      .execute()
    const events = await withOutboxTables(trx)
      .selectFrom('webhook_events')
      .select(['id', 'body'])
      .where('id', 'in', [...new Set(leased.map((row) => row.event_id))])
      .execute()
    return leased.map(({ webhook_id: webhookId, event_id: eventId, attempts }) => ({
      webhookId,
      eventId,
      lease,
      attempt: attempts,
      webhook: webhooks.find(({ id }) => id === webhookId),
      body: events.find(({ id }) => id === eventId)?.body,
    }))
  })
}

type Outcome = Pick<WebhookDeliveryRow, 'state' | 'due_at_ms' | 'error'> &
  Partial<Pick<WebhookDeliveryRow, 'attempted_at' | 'status' | 'duration_ms'>>

/** Stores the outcome of an attempt. Returns false if the lease has ended, so that another process decides. */
export async function storeOutcome(
  reader: Reader,
  { webhookId, eventId, lease }: LeasedDelivery,
  outcome: Outcome,
): Promise<boolean> {
  const stored = await withOutboxTables(reader)
    .updateTable('webhook_deliveries')
    .set({ ...outcome, lease: null })
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('lease', '=', lease)
    .returning('event_id')
    .executeTakeFirst()
  return stored !== undefined
}

export type Attempt = Pick<WebhookAttemptRow, 'attempted_at_ms' | 'status' | 'duration_ms' | 'error'>

/** Adds an attempt to the history of its delivery. */
export async function insertAttempt(
  trx: Trx,
  { webhookId, eventId }: DeliveryKey,
  attempt: Attempt,
): Promise<void> {
  await withOutboxTables(trx)
    .insertInto('webhook_attempts')
    .values({
      id: randomId(),
      webhook_id: webhookId,
      event_id: eventId,
      ...attempt,
      created_at: Math.floor(attempt.attempted_at_ms / 1_000),
    })
    .execute()
}

/** Returns the latest attempts of a delivery, newest first. */
export const listAttempts = (
  reader: Reader,
  { webhookId, eventId }: DeliveryKey,
): Promise<WebhookAttemptRow[]> =>
  withOutboxTables(reader)
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .orderBy('attempted_at_ms', 'desc')
    .limit(adminLimits.mostAttempts)
    .execute()

/** Stores since when every attempt has failed. Returns that time. */
export async function markFailing(trx: Trx, clock: Clock, webhookId: string): Promise<number> {
  const marked = await withOutboxTables(trx)
    .updateTable('webhooks')
    .set({ failing_since: sql`coalesce(failing_since, ${nowSeconds(clock)})` })
    .where('id', '=', webhookId)
    .returning('failing_since')
    .executeTakeFirst()
  return marked?.failing_since ?? nowSeconds(clock)
}

export async function clearFailing(reader: Reader, webhookId: string): Promise<void> {
  await withOutboxTables(reader)
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Returns when the longest waiting delivery was due, or undefined. */
export async function oldestDueMs(reader: Reader, clock: Clock): Promise<number | undefined> {
  const row = await withOutboxTables(reader)
    .selectFrom('webhook_deliveries')
    .select('due_at_ms')
    .where('due_at_ms', '<=', clock.nowMs())
    .orderBy('due_at_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at_ms ?? undefined
}

export type DeliveryDetails = WebhookDeliveryRow & Pick<WebhookEventRow, 'type' | 'body'>
type DeliveryPosition = { at: number; id: string }

const selectDeliveries = (reader: Reader, webhookId: string) =>
  withOutboxTables(reader)
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .selectAll('delivery')
    .select(['event.type', 'event.body'])
    .where('delivery.webhook_id', '=', webhookId)

/** Returns deliveries, newest first. */
export function readDeliveriesPage(
  reader: Reader,
  webhookId: string,
  state: WebhookDeliveryRow['state'] | undefined,
  position: DeliveryPosition | undefined,
  limit: number,
): Promise<DeliveryDetails[]> {
  let query = selectDeliveries(reader, webhookId)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.event_id', 'desc')
    .limit(limit)
  if (state !== undefined) query = query.where('delivery.state', '=', state)
  if (position) {
    const { at, id } = position
    query = query.where(sql<boolean>`(delivery.created_at, delivery.event_id) < (${at}, ${id})`)
  }
  return query.execute()
}

export const findDelivery = (
  reader: Reader,
  { webhookId, eventId }: DeliveryKey,
): Promise<DeliveryDetails | undefined> =>
  selectDeliveries(reader, webhookId).where('delivery.event_id', '=', eventId).executeTakeFirst()

type TimeRange = { from: number | undefined; before: number | undefined }

const again = (clock: Clock) =>
  ({ state: 'pending', attempts: 0, due_at_ms: clock.nowMs(), error: null }) as const

/** Sends these deliveries again. Running attempts continue. Returns how many there are. */
export async function replayById(
  trx: Trx,
  clock: Clock,
  webhookId: string,
  eventIds: string[],
): Promise<number> {
  const replayed = await withOutboxTables(trx)
    .updateTable('webhook_deliveries')
    .set(again(clock))
    .where('webhook_id', '=', webhookId)
    .where('event_id', 'in', eventIds)
    .where('lease', 'is', null)
    .returning('event_id')
    .execute()
  return replayed.length
}

/** Sends failed deliveries again, oldest first. */
export async function replayFailed(
  trx: Trx,
  clock: Clock,
  webhookId: string,
  { from, before }: TimeRange,
): Promise<number> {
  const tables = withOutboxTables(trx)
  let failed = tables
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'failed')
    .orderBy('created_at')
    .limit(adminLimits.mostReplayed)
  if (from !== undefined) failed = failed.where('created_at', '>=', from)
  if (before !== undefined) failed = failed.where('created_at', '<', before)
  const replayed = await tables
    .updateTable('webhook_deliveries')
    .set(again(clock))
    .where('webhook_id', '=', webhookId)
    .where('event_id', 'in', failed)
    .returning('event_id')
    .execute()
  return replayed.length
}

/** Sends all events of a time range, oldest first, also those from before the webhook. */
export async function replayRange(
  trx: Trx,
  clock: Clock,
  { id: webhookId, app_id: appId, events }: WebhookRow,
  { from, before }: TimeRange,
): Promise<number> {
  const types = events.split(' ').filter((type) => type !== '') as WebhookEventType[]
  let range = withOutboxTables(trx)
    .selectFrom('webhook_events')
    .select((event) => [
      sql<string>`cast(${webhookId} as text)`.as('webhook_id'),
      'id as event_id',
      sql<'pending'>`'pending'`.as('state'),
      sql<number>`0`.as('attempts'),
      sql<number>`cast(${clock.nowMs()} as bigint)`.as('due_at_ms'),
      event.ref('created_at').as('created_at'),
    ])
    .where('app_id', '=', appId)
    .where('type', 'not in', Object.keys(ownEvents) as WebhookEventType[])
    .orderBy('created_at')
    .orderBy('id')
    .limit(adminLimits.mostReplayed)
  if (types.length > 0) range = range.where('type', 'in', types)
  if (from !== undefined) range = range.where('created_at', '>=', from)
  if (before !== undefined) range = range.where('created_at', '<', before)
  const replayed = await withOutboxTables(trx)
    .insertInto('webhook_deliveries')
    .columns(['webhook_id', 'event_id', 'state', 'attempts', 'due_at_ms', 'created_at'])
    .expression(range)
    .onConflict((conflict) =>
      conflict
        .columns(['webhook_id', 'event_id'])
        .doUpdateSet(again(clock))
        .where('webhook_deliveries.lease', 'is', null),
    )
    .returning('event_id')
    .execute()
  return replayed.length
}

/** Inserts a due delivery of one event to one webhook. */
export async function insertDelivery(
  trx: Trx,
  clock: Clock,
  { webhookId, eventId }: DeliveryKey,
): Promise<void> {
  await withOutboxTables(trx)
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      event_id: eventId,
      ...again(clock),
      lease: null,
      attempted_at: null,
      status: null,
      duration_ms: null,
      created_at: nowSeconds(clock),
    })
    .execute()
}

export async function deleteDelivery(reader: Reader, { webhookId, eventId }: DeliveryKey): Promise<void> {
  await withOutboxTables(reader)
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .execute()
}
