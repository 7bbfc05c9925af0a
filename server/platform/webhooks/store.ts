/** The statements of webhooks and their secrets. */
import {
  insertDeliveries,
  insertEvent,
  pausedError,
  type WebhookRow,
  withOutboxTables,
} from '../../identity/outbox/outbox.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import type { NewSecret } from './signing.ts'

export type WebhookKey = { appId: string; id: string }

/** Returns the stored list. Each type is between spaces, so that no type matches a part of another one. */
export const joinEvents = (types: string[]) =>
  types.length === 0 ? '' : ` ${[...new Set(types)].join(' ')} `

export const listWebhooks = (reader: Reader, appId: string): Promise<WebhookRow[]> =>
  withOutboxTables(reader)
    .selectFrom('webhooks')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findWebhook = (reader: Reader, { appId, id }: WebhookKey): Promise<WebhookRow | undefined> =>
  withOutboxTables(reader)
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()

/** Locks the webhook by an update without changes, because SQLite has no `select … for update`. */
export const lockWebhook = (trx: Trx, { appId, id }: WebhookKey): Promise<WebhookRow | undefined> =>
  withOutboxTables(trx)
    .updateTable('webhooks')
    .set((webhook) => ({ app_id: webhook.ref('app_id') }))
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .returningAll()
    .executeTakeFirst()

export async function insertWebhook(
  trx: Trx,
  clock: Clock,
  {
    id,
    appId,
    secret,
    ...values
  }: WebhookKey & Pick<WebhookRow, 'url' | 'description' | 'events'> & { secret: NewSecret },
): Promise<void> {
  const row = { id, app_id: appId, ...values, created_at: nowSeconds(clock) }
  await withOutboxTables(trx)
    .insertInto('webhooks')
    .values({ ...row, state: 'enabled', paused_at: null, pause_reason: null, failing_since: null })
    .execute()
  await insertSecret(trx, clock, secret)
}

export const insertSecret = async (trx: Trx, clock: Clock, secret: NewSecret): Promise<void> => {
  await withOutboxTables(trx)
    .insertInto('webhook_secrets')
    .values({ ...secret, created_at: nowSeconds(clock), expires_at: null })
    .execute()
}

/** Ends the current secrets. Those that end earlier keep their time. */
export async function expireSecrets(trx: Trx, webhookId: string, expiresAt: number): Promise<void> {
  await withOutboxTables(trx)
    .updateTable('webhook_secrets')
    .set({ expires_at: expiresAt })
    .where('webhook_id', '=', webhookId)
    .where((secret) => secret.or([secret('expires_at', 'is', null), secret('expires_at', '>', expiresAt)]))
    .execute()
}

/** Returns the secrets that sign now, newest first. */
export const findSecrets = (reader: Reader, clock: Clock, webhookId: string) =>
  withOutboxTables(reader)
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where((secret) =>
      secret.or([secret('expires_at', 'is', null), secret('expires_at', '>', nowSeconds(clock))]),
    )
    .orderBy('created_at', 'desc')
    // The current secret comes first, also if it was created in the same second as another one.
    .orderBy((secret) => secret.case().when('expires_at', 'is', null).then(0).else(1).end())
    .execute()

export async function changeWebhook(
  trx: Trx,
  id: string,
  values: Partial<Pick<WebhookRow, 'url' | 'description' | 'events'>>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await withOutboxTables(trx).updateTable('webhooks').set(values).where('id', '=', id).execute()
}

export async function enableWebhook(trx: Trx, id: string): Promise<void> {
  await withOutboxTables(trx)
    .updateTable('webhooks')
    .set({ state: 'enabled', paused_at: null, pause_reason: null, failing_since: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Pauses a webhook, fails its pending deliveries, and publishes that to the other webhooks of the app. Attempts that
 * run end as usual. Returns false if it was paused already.
 */
export async function pauseWebhook(
  trx: Trx,
  clock: Clock,
  { id, appId }: WebhookKey,
  reason: NonNullable<WebhookRow['pause_reason']>,
): Promise<boolean> {
  const paused = await withOutboxTables(trx)
    .updateTable('webhooks')
    .set({ state: 'paused', paused_at: nowSeconds(clock), pause_reason: reason })
    .where('id', '=', id)
    .where('state', '=', 'enabled')
    .returning('id')
    .executeTakeFirst()
  if (paused === undefined) return false
  await withOutboxTables(trx)
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', due_at_ms: null, error: pausedError })
    .where('webhook_id', '=', id)
    .where('state', '=', 'pending')
    .where('lease', 'is', null)
    .execute()
  const type = 'webhook.paused'
  const eventId = await insertEvent(trx, clock, { appId }, { type, fields: { webhookId: id, reason } })
  await insertDeliveries(trx, clock, { id: eventId, appId, type, exceptWebhook: id })
  return true
}

export async function removeSecrets(trx: Trx, webhookId: string): Promise<void> {
  await withOutboxTables(trx).deleteFrom('webhook_secrets').where('webhook_id', '=', webhookId).execute()
}

export async function removeWebhook(trx: Trx, id: string): Promise<void> {
  const tables = withOutboxTables(trx)
  await tables.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
  await tables.deleteFrom('webhook_attempts').where('webhook_id', '=', id).execute()
  await removeSecrets(trx, id)
  await tables.deleteFrom('webhooks').where('id', '=', id).execute()
}
