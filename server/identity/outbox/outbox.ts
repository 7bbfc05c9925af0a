/**
 * The transactional outbox of webhooks. Events and their deliveries are inserted in the transaction of the change, so
 * that a committed change has its events and a rolled-back one has none. `platform/webhooks` sends them.
 */
import { toWire } from '@latchkey/protocol'
import { eventDataSchema } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { auditedEvents, type OutgoingEvent } from './audited-events.ts'
import { withOutboxTables } from './tables.ts'

export {
  outboxMigrations,
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
  type WebhookEventRow,
  type WebhookRow,
  type WebhookSecretRow,
  withOutboxTables,
} from './tables.ts'

type AuditedChange = {
  event: string
  appId: string | null
  userId: string | null
  sessionId: string | null
  details: Readonly<Record<string, string | number | boolean | null>>
}

/** Publishes the webhook event of an audited change, if it has one and the app has webhooks. */
export async function publishAudited(trx: Trx, clock: Clock, entry: AuditedChange): Promise<void> {
  const { appId, userId } = entry
  const event = Object.hasOwn(auditedEvents, entry.event) ? auditedEvents[entry.event]?.(entry) : undefined
  if (event === undefined || appId === null || userId === null) return
  const sequence = await countEvent(trx, clock, appId, userId)
  if (sequence === undefined) return
  const id = await insertEvent(trx, clock, { appId, userId, sequence }, event)
  await insertDeliveries(trx, clock, { id, appId, type: event.type })
}

type Counted = { appId: string; userId: string; nowSeconds: number }
const incrementSequence = compileQuery((db, value: Placeholder<Counted>) => ({
  compile: () =>
    sql<{ sequence: number }>`
      insert into webhook_sequences (user_id, sequence, created_at)
      select cast(${value('userId')} as text), 1, cast(${value('nowSeconds')} as bigint)
      where exists (select 1 from webhooks where app_id = ${value('appId')})
      on conflict (user_id) do update set sequence = webhook_sequences.sequence + 1
      returning sequence`.compile(db),
}))

/**
 * Returns the number of this event of the user, or undefined if the app has no webhook. Changes of one user wait for
 * each other until the commit, so that the numbers have the order of the changes.
 */
async function countEvent(
  trx: Trx,
  clock: Clock,
  appId: string,
  userId: string,
): Promise<number | undefined> {
  const [counted] = await incrementSequence(trx, { appId, userId, nowSeconds: nowSeconds(clock) })
  return counted?.sequence
}

export type EventSubject = { appId: string; userId?: string; sequence?: number }

/** Inserts an event without deliveries. Returns its id. */
export async function insertEvent(
  trx: Trx,
  clock: Clock,
  subject: EventSubject,
  { type, fields }: OutgoingEvent,
): Promise<string> {
  const id = `msg_${randomId()}`
  const body = JSON.stringify({
    type,
    timestamp: new Date(clock.nowMs()).toISOString(),
    data: toWire(eventDataSchema(type), { ...subject, ...fields }),
  })
  await withOutboxTables(trx)
    .insertInto('webhook_events')
    .values({
      id,
      app_id: subject.appId,
      user_id: subject.userId ?? null,
      type,
      body,
      created_at: nowSeconds(clock),
    })
    .execute()
  return id
}

/** Publishes an event of an app in the transaction of the change, if the app has webhooks. */
export async function publishAppEvent(
  trx: Trx,
  clock: Clock,
  appId: string,
  event: OutgoingEvent,
): Promise<void> {
  const webhook = await withOutboxTables(trx)
    .selectFrom('webhooks')
    .select('id')
    .where('app_id', '=', appId)
    .limit(1)
    .executeTakeFirst()
  if (webhook === undefined) return
  const id = await insertEvent(trx, clock, { appId }, event)
  await insertDeliveries(trx, clock, { id, appId, type: event.type })
}

/**
 * Inserts a delivery for each webhook of the app that subscribes to the event. Those of paused webhooks count as
 * failed, so that they can be replayed.
 */
export async function insertDeliveries(
  trx: Trx,
  clock: Clock,
  {
    id,
    appId,
    type,
    exceptWebhook = '',
  }: { id: string; appId: string; type: string; exceptWebhook?: string },
): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, state, attempts, due_at_ms, error, created_at)
    select id, cast(${id} as text), case state when 'enabled' then 'pending' else 'failed' end, 0,
      case state when 'enabled' then cast(${clock.nowMs()} as bigint) end,
      case state when 'enabled' then null else cast(${pausedError} as text) end, cast(${nowSeconds(clock)} as bigint)
    from webhooks where app_id = ${appId} and id <> ${exceptWebhook}
      and (events = '' or replace(events, ${` ${type} `}, '') <> events)`.execute(trx)
}

/** The error of a delivery that was not attempted, because its webhook is paused. */
export const pausedError = 'webhook_paused'
