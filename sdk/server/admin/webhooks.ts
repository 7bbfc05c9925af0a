/** The calls about webhooks. */
import type {
  CreateWebhookAnswer,
  CreateWebhookBody,
  DeleteWebhookAnswer,
  GetWebhookAnswer,
  GetWebhookDeliveryAnswer,
  ListWebhookDeliveriesAnswer,
  ListWebhookDeliveriesQuery,
  ListWebhooksAnswer,
  ReadWebhookSecretAnswer,
  ReplayWebhookAnswer,
  ReplayWebhookBody,
  RotateWebhookSecretAnswer,
  RotateWebhookSecretBody,
  TestWebhookAnswer,
  UpdateWebhookAnswer,
  UpdateWebhookBody,
} from './contract.ts'
import type { CallOptions, ChangeOptions, createRequest } from './request.ts'

export type Webhook = GetWebhookAnswer
export type WebhookDelivery = ListWebhookDeliveriesAnswer['data'][number]
export type DeliveryFilter = Pick<ListWebhookDeliveriesQuery, 'limit' | 'state'>
/** The deliveries to send again. */
export type Replay = { ids: string[] } | Pick<ReplayWebhookBody, 'state' | 'created_after' | 'created_before'>

export const createWebhookCalls = ({ request }: Pick<ReturnType<typeof createRequest>, 'request'>) => ({
  /** Returns the webhooks of an app, oldest first. */
  async list(app: string, call?: CallOptions): Promise<Webhook[]> {
    return (await request<ListWebhooksAnswer>('listWebhooks', { params: { app }, options: call })).body.data
  },

  /** Creates a webhook. Its secret is returned by `readSecret`. */
  async create(app: string, body: CreateWebhookBody, call?: CallOptions) {
    const input = { params: { app }, body, options: call }
    return (await request<CreateWebhookAnswer>('createWebhook', input)).body
  },

  /** Returns a webhook, and the etag for `ifMatch`. */
  async get(app: string, webhook: string, call?: CallOptions) {
    const input = { params: { app, webhook }, options: call }
    const { body, etag } = await request<GetWebhookAnswer>('getWebhook', input)
    return { webhook: body, etag }
  },

  /** Changes a webhook, pauses it or enables it again. */
  async update(app: string, webhook: string, body: UpdateWebhookBody, call?: ChangeOptions) {
    const input = { params: { app, webhook }, body, options: call }
    return (await request<UpdateWebhookAnswer>('updateWebhook', input)).body
  },

  /** Deletes a webhook with its secrets and deliveries. */
  async delete(app: string, webhook: string, call?: ChangeOptions) {
    const input = { params: { app, webhook }, options: call }
    return (await request<DeleteWebhookAnswer>('deleteWebhook', input)).body
  },

  /** Returns the secrets that sign now, newest first. */
  async readSecret(app: string, webhook: string, call?: CallOptions) {
    const input = { params: { app, webhook }, options: call }
    return (await request<ReadWebhookSecretAnswer>('readWebhookSecret', input)).body.data
  },

  /** Creates another secret. Earlier ones sign too until the overlap ends. */
  async rotateSecret(app: string, webhook: string, body: RotateWebhookSecretBody = {}, call?: CallOptions) {
    const input = { params: { app, webhook }, body, options: call }
    return (await request<RotateWebhookSecretAnswer>('rotateWebhookSecret', input)).body
  },

  /** Iterates over deliveries, newest first. `limit` is the number of deliveries per request. */
  async *listDeliveries(app: string, webhook: string, filter: DeliveryFilter = {}, call?: CallOptions) {
    for (let after: string | undefined; ; ) {
      const input = { params: { app, webhook }, query: { ...filter, after }, options: call }
      const { body } = await request<ListWebhookDeliveriesAnswer>('listWebhookDeliveries', input)
      yield* body.data
      if (body.next === null) return
      after = body.next
    }
  },

  /** Returns a delivery with the body that was sent. */
  async getDelivery(app: string, webhook: string, delivery: string, call?: CallOptions) {
    const input = { params: { app, webhook, delivery }, options: call }
    return (await request<GetWebhookDeliveryAnswer>('getWebhookDelivery', input)).body
  },

  /** Sends deliveries again: those with these ids, all that failed, or all events of a time range. */
  async replay(app: string, webhook: string, body: Replay, call?: CallOptions) {
    const input = { params: { app, webhook }, body, options: call }
    return (await request<ReplayWebhookAnswer>('replayWebhook', input)).body
  },

  /** Sends the event `webhook.test`. Its delivery shows the outcome. */
  async test(app: string, webhook: string, call?: CallOptions) {
    const input = { params: { app, webhook }, options: call }
    return (await request<TestWebhookAnswer>('testWebhook', input)).body
  },
})
