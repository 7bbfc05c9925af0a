/** Calls of the Admin API about webhooks. */
import {
  type AdminDelivery,
  type AdminWebhook,
  adminLimits,
  adminWebhookRoutes,
} from '@latchkey/protocol/admin'
import { insertEvent, type WebhookRow } from '../../identity/outbox/outbox.ts'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminPreparedChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { isAllowedUrl, isPublicUrl } from '../../kernel/ssrf-safe-fetch.ts'
import {
  assertMatches,
  digestObject,
  formatPosition,
  formatTime,
  parsePosition,
  parseSeconds,
} from '../admin/admin.ts'
import {
  type DeliveryDetails,
  findDelivery,
  insertDelivery,
  listAttempts,
  readDeliveriesPage,
  replayById,
  replayFailed,
  replayRange,
} from './deliveries.ts'
import { webhookEnvironment } from './environment.ts'
import { createSecret, formatSecret, openSecret } from './signing.ts'
import {
  changeWebhook,
  enableWebhook,
  expireSecrets,
  findSecrets,
  findWebhook,
  insertSecret,
  insertWebhook,
  joinEvents,
  listWebhooks,
  lockWebhook,
  pauseWebhook,
  removeWebhook,
} from './store.ts'

type WebhookCall = Pick<AdminCall, 'appId' | 'params'>
const toKey = ({ appId, params }: WebhookCall) => ({ appId, id: params.webhook ?? '' })

const webhookNotFound = ({ params }: WebhookCall) =>
  new AdminError('webhook_not_found', `The app has no webhook ${params.webhook}`)

async function requireWebhook(reader: Reader, call: WebhookCall): Promise<WebhookRow> {
  const row = await findWebhook(reader, toKey(call))
  if (row === undefined) throw webhookNotFound(call)
  return row
}

/** Locks the webhook, so that `If-Match` still holds when the change is made. */
async function requireLocked(trx: Trx, call: WebhookCall): Promise<WebhookRow> {
  const row = await lockWebhook(trx, toKey(call))
  if (row === undefined) throw webhookNotFound(call)
  return row
}

function requireEnabled({ id, state }: WebhookRow): void {
  if (state === 'paused') throw new AdminError('webhook_paused', `Enable the webhook ${id} first`)
}

function assertUrlAllowed({ config }: Pick<ServerContext, 'config'>, url: string): void {
  const allowsThisMachine = webhookEnvironment.read(config).WEBHOOKS_TO_THIS_MACHINE === 'true'
  if (isPublicUrl(url) || (allowsThisMachine && isAllowedUrl(url))) return
  throw new AdminError('url_not_allowed', 'A webhook needs an https URL of a public host', { path: 'url' })
}

const formatOptional = (seconds: number | null) => (seconds === null ? null : formatTime(seconds))
const splitEvents = (events: string) => events.split(' ').filter((type) => type !== '')
const describeWebhook = (row: WebhookRow): AdminWebhook => ({
  id: row.id,
  appId: row.app_id,
  url: row.url,
  description: row.description,
  events: splitEvents(row.events),
  state: row.state,
  paused:
    row.paused_at === null || row.pause_reason === null
      ? null
      : { at: formatTime(row.paused_at), reason: row.pause_reason },
  failingSince: formatOptional(row.failing_since),
  createdAt: formatTime(row.created_at),
})

/** Leaves out `failingSince`, which changes without a change of the webhook. */
const digestWebhook = ({ failing_since: _, ...row }: WebhookRow) => digestObject(row)

const describeDelivery = (row: DeliveryDetails): AdminDelivery => ({
  id: row.event_id,
  type: row.type,
  state: row.state,
  createdAt: formatTime(row.created_at),
  attempts: row.attempts,
  nextAttemptAt: row.due_at_ms === null ? null : new Date(row.due_at_ms).toISOString(),
  lastAttempt:
    row.attempted_at === null
      ? null
      : {
          at: formatTime(row.attempted_at),
          status: row.status,
          durationMs: row.duration_ms ?? 0,
          error: row.error,
        },
})

export const webhookEndpoints: AdminEndpoint[] = [
  adminRead(adminWebhookRoutes.listWebhooks, async ({ appId }, { db }) => ({
    output: { data: (await listWebhooks(db, appId)).map(describeWebhook) },
  })),

  adminPreparedChange(
    adminWebhookRoutes.createWebhook,
    async ({ appId }, { kms }) => {
      const id = `whk_${randomId()}`
      return { id, secret: await createSecret(kms, appId, id) }
    },
    async (trx, { appId, body }, { clock, config }, { id, secret }) => {
      const { url, description = '', events = [] } = body
      assertUrlAllowed({ config }, url)
      if ((await listWebhooks(trx, appId)).length >= adminLimits.mostWebhooks) {
        throw new AdminError('too_many_webhooks', `An app has at most ${adminLimits.mostWebhooks} webhooks`)
      }
      await insertWebhook(trx, clock, { id, appId, secret, url, description, events: joinEvents(events) })
      const row = await findWebhook(trx, { appId, id })
      return { output: { id }, digest: row ? digestWebhook(row) : null }
    },
  ),

  adminRead(adminWebhookRoutes.getWebhook, async (call, { db }) => {
    const row = await requireWebhook(db, call)
    return { output: describeWebhook(row), digest: digestWebhook(row) }
  }),

  adminChange(adminWebhookRoutes.updateWebhook, async (trx, call, { clock, config }) => {
    const row = await requireLocked(trx, call)
    const earlierDigest = digestWebhook(row)
    assertMatches(call, earlierDigest)
    const { url, description, events, state } = call.body
    if (url !== undefined) assertUrlAllowed({ config }, url)
    await changeWebhook(trx, row.id, {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { events: joinEvents(events) }),
    })
    if (state === 'paused') await pauseWebhook(trx, clock, toKey(call), 'operator')
    if (state === 'enabled') await enableWebhook(trx, row.id)
    const changed = await requireWebhook(trx, call)
    return { output: { id: row.id }, before: earlierDigest, digest: digestWebhook(changed) }
  }),

  adminChange(adminWebhookRoutes.deleteWebhook, async (trx, call) => {
    const row = await requireLocked(trx, call)
    const earlierDigest = digestWebhook(row)
    assertMatches(call, earlierDigest)
    await removeWebhook(trx, row.id)
    return { output: { id: row.id }, before: earlierDigest, digest: null }
  }),

  adminRead(adminWebhookRoutes.readWebhookSecret, async (call, { db, clock, kms }) => {
    const { id } = await requireWebhook(db, call)
    const rows = await findSecrets(db, clock, id)
    const data = await Promise.all(
      rows.map(async (row) => ({
        ...formatSecret(await openSecret(kms, row)),
        expiresAt: formatOptional(row.expires_at),
      })),
    )
    return { output: { data } }
  }),

  adminPreparedChange(
    adminWebhookRoutes.rotateWebhookSecret,
    ({ appId, params }, { kms }) => createSecret(kms, appId, params.webhook ?? ''),
    async (trx, call, { clock }, secret) => {
      const { id } = await requireLocked(trx, call)
      const { overlapSeconds = adminLimits.defaultOverlapSeconds } = call.body
      const expiresAt = nowSeconds(clock) + overlapSeconds
      await expireSecrets(trx, id, expiresAt)
      await insertSecret(trx, clock, secret)
      return { output: { id, earlierExpireAt: formatTime(expiresAt) } }
    },
  ),

  adminRead(adminWebhookRoutes.listWebhookDeliveries, async (call, { db }) => {
    const { id } = await requireWebhook(db, call)
    const { after, limit = adminLimits.defaultPerPage, state } = call.query
    // Reads one delivery more than requested, to detect whether there is a next page.
    const rows = await readDeliveriesPage(db, id, state, parsePosition(after), limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const hasNext = rows.length > limit && last !== undefined
    return {
      output: {
        data: page.map(describeDelivery),
        next: hasNext ? formatPosition({ at: last.created_at, id: last.event_id }) : null,
      },
    }
  }),

  adminRead(adminWebhookRoutes.getWebhookDelivery, async (call, { db }) => {
    const { id } = await requireWebhook(db, call)
    const { delivery: eventId = '' } = call.params
    const row = await findDelivery(db, { webhookId: id, eventId })
    if (row === undefined) {
      throw new AdminError('delivery_not_found', `The webhook ${id} has no delivery ${eventId}`)
    }
    const attempts = await listAttempts(db, { webhookId: id, eventId })
    const history = attempts.map(({ attempted_at_ms: atMs, status, duration_ms: durationMs, error }) => ({
      at: new Date(atMs).toISOString(),
      status,
      durationMs,
      error,
    }))
    return { output: { ...describeDelivery(row), body: row.body, history } }
  }),

  adminChange(adminWebhookRoutes.replayWebhook, async (trx, call, { clock }) => {
    const webhook = await requireLocked(trx, call)
    requireEnabled(webhook)
    const { ids, state, createdAfter, createdBefore } = call.body
    const range = { from: parseSeconds(createdAfter), before: parseSeconds(createdBefore) }
    const hasRange = range.from !== undefined || range.before !== undefined
    if (ids !== undefined && (state !== undefined || hasRange)) {
      throw new AdminError('invalid_data', '`ids` are replayed alone', { path: 'ids' })
    }
    if (ids !== undefined) {
      return { output: { replayed: await replayById(trx, clock, webhook.id, ids), hasMore: false } }
    }
    if (state === undefined && !hasRange) {
      throw new AdminError('invalid_data', 'Pass `ids`, `state` or a time range', { path: '' })
    }
    const replayed =
      state === 'failed'
        ? await replayFailed(trx, clock, webhook.id, range)
        : await replayRange(trx, clock, webhook, range)
    return { output: { replayed, hasMore: replayed === adminLimits.mostReplayed } }
  }),

  adminChange(adminWebhookRoutes.testWebhook, async (trx, call, { clock }) => {
    const webhook = await requireLocked(trx, call)
    requireEnabled(webhook)
    const { appId } = call
    const fields = { webhookId: webhook.id }
    const eventId = await insertEvent(trx, clock, { appId }, { type: 'webhook.test', fields })
    await insertDelivery(trx, clock, { webhookId: webhook.id, eventId })
    return { output: { id: eventId } }
  }),
]
