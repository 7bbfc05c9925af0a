/** The Admin API of a test server that may send webhooks to this machine, and workers. */
import type { WebhookEventType } from '@latchkey/protocol/admin'
import { recordAudit } from '../../../identity/audit/audit.ts'
import { withOutboxTables } from '../../../identity/outbox/outbox.ts'
import { collectEnvironment } from '../../../kernel/capability.ts'
import { parseConfig } from '../../../kernel/config.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { ssrfSafeFetch } from '../../../kernel/ssrf-safe-fetch.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { type AdminRequest, adminFixture } from '../../admin/testing/fixture.ts'
import { createDeliveryWorker } from '../worker.ts'

type SentRequest = {
  url: string
  id: string
  timestamp: number
  signature: string
  body: string
}
type Answer = { status: number; headers?: Record<string, string> } | Error

export async function webhookFixture(database: Database) {
  const config = parseConfig({ WEBHOOKS_TO_THIS_MACHINE: 'true' }, collectEnvironment(capabilities))
  const base = await adminFixture(database, { config })
  const { context, app } = base
  const call = (method: string, path: string, request?: AdminRequest) =>
    base.call(method, `/apps/${app.id}/webhooks${path}`, request)

  async function createWebhook(body: { url?: string; events?: WebhookEventType[] } = {}): Promise<string> {
    const answer = await call('POST', '', { body: { url: 'https://hooks.example/latchkey', ...body } })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.id
  }

  /** Records a change of a user, which publishes an event. */
  const change = (event = 'user.blocked_by_operator', userId = 'usr_ada') =>
    context.transaction((trx) =>
      recordAudit(trx, context.clock, { event, appId: app.id, userId, sessionId: null, details: {} }),
    )

  /** A worker whose requests get these answers, the last one repeatedly. */
  function workerWith(answers: Answer[] = [{ status: 204 }], at: ServerContext = context) {
    const sent: SentRequest[] = []
    const worker = createDeliveryWorker(at, {
      random: () => 0.5,
      fetch: async (url, { headers = {}, body = '' }) => {
        const answer = answers[Math.min(sent.length, answers.length - 1)]
        sent.push({
          url,
          id: headers['webhook-id'] ?? '',
          timestamp: Number(headers['webhook-timestamp']),
          signature: headers['webhook-signature'] ?? '',
          body,
        })
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer')
        return new Response(null, answer)
      },
    })
    return { ...worker, sent, types: () => sent.map(({ body }) => JSON.parse(body).type) }
  }

  const createWorker = (fetch: typeof ssrfSafeFetch) => createDeliveryWorker(context, { fetch })

  const readDeliveries = () =>
    withOutboxTables(context.db)
      .selectFrom('webhook_deliveries')
      .selectAll()
      .orderBy('created_at')
      .orderBy('event_id')
      .execute()
  const readEvents = () => withOutboxTables(context.db).selectFrom('webhook_events').selectAll().execute()
  return {
    ...base,
    callAdmin: base.call,
    call,
    createWebhook,
    change,
    createWorker,
    workerWith,
    readDeliveries,
    readEvents,
  }
}
export type WebhookFixture = Awaited<ReturnType<typeof webhookFixture>>
