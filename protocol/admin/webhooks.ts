import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { inputTime, limitInQuery, time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'
import { webhookEventTypes, webhookPauseReasons } from './webhook-events.ts'

const { maxUrlLength, maxDescriptionLength, longestOverlapSeconds, mostReplayIds } = adminLimits

const url = v.pipe(v.string(), v.maxLength(maxUrlLength), v.url())
const description = v.pipe(v.string(), v.trim(), v.maxLength(maxDescriptionLength))
/** Empty for all events. */
const events = v.pipe(v.array(v.picklist(webhookEventTypes)), v.maxLength(webhookEventTypes.length))
const states = ['enabled', 'paused'] as const

const webhook = v.object({
  id,
  appId: text,
  url: text,
  description: text,
  events: v.array(text),
  state: v.picklist(states),
  paused: v.nullable(v.object({ at: time, reason: v.picklist(webhookPauseReasons) })),
  /** Since when every attempt has failed. */
  failingSince: v.nullable(time),
  createdAt: time,
})
export type AdminWebhook = v.InferOutput<typeof webhook>

const attempt = v.object({
  at: time,
  /** The HTTP status, or null if there was no answer. */
  status: v.nullable(v.number()),
  durationMs: v.number(),
  error: v.nullable(text),
})

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
const delivery = v.object({
  /** The `webhook-id` of its attempts. */
  id,
  type: text,
  state: v.picklist(deliveryStates),
  createdAt: time,
  attempts: v.number(),
  nextAttemptAt: v.nullable(time),
  lastAttempt: v.nullable(attempt),
})
export type AdminDelivery = v.InferOutput<typeof delivery>

const secret = v.object({ secret: text, publicKey: text, expiresAt: v.nullable(time) })

const read = { scopes: ['webhooks:read', 'webhooks:write'], effect: 'reads', status: 200 } as const
const change = { scopes: ['webhooks:write'], effect: 'changes', status: 200 } as const
const ofApp = ['app_not_found'] as const
const ofWebhook = [...ofApp, 'webhook_not_found'] as const
const withBody = ['idempotency_key_reused', 'payload_too_large', 'unsupported_media_type'] as const

export const adminWebhookRoutes = {
  listWebhooks: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/webhooks',
    summary: 'lists the webhooks of an app, oldest first',
    output: v.object({ data: v.array(webhook) }),
    errors: ofApp,
  },
  createWebhook: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/webhooks',
    etag: true,
    summary: 'creates a webhook with a new secret, which `readWebhookSecret` returns',
    body: v.object({
      url,
      description: v.exactOptional(description),
      events: v.exactOptional(events),
    }),
    output: v.object({ id }),
    errors: [...ofApp, 'url_not_allowed', 'too_many_webhooks', ...withBody],
  },
  getWebhook: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/webhooks/{webhook}',
    etag: true,
    summary: 'returns a webhook',
    output: webhook,
    errors: ofWebhook,
  },
  updateWebhook: {
    ...change,
    method: 'PATCH',
    path: '/apps/{app}/webhooks/{webhook}',
    etag: true,
    summary: 'changes a webhook, pauses it or enables it again. A pause fails its pending deliveries',
    body: v.object({
      url: v.exactOptional(url),
      description: v.exactOptional(description),
      events: v.exactOptional(events),
      state: v.exactOptional(v.picklist(states)),
    }),
    output: v.object({ id }),
    errors: [...ofWebhook, 'url_not_allowed', 'precondition_failed', ...withBody],
  },
  deleteWebhook: {
    ...change,
    needsConfirmation: true,
    method: 'DELETE',
    path: '/apps/{app}/webhooks/{webhook}',
    summary: 'deletes a webhook with its secrets and deliveries',
    output: v.object({ id }),
    errors: [...ofWebhook, 'precondition_failed', 'idempotency_key_reused'],
  },
  readWebhookSecret: {
    ...read,
    needsConfirmation: true,
    scopes: ['webhooks:write'],
    method: 'GET',
    path: '/apps/{app}/webhooks/{webhook}/secret',
    summary: 'returns the secrets that sign deliveries, newest first, with their public keys',
    output: v.object({ data: v.array(secret) }),
    errors: ofWebhook,
  },
  rotateWebhookSecret: {
    ...change,
    needsConfirmation: true,
    method: 'POST',
    path: '/apps/{app}/webhooks/{webhook}/secret/rotate',
    summary: 'creates another secret. Earlier ones sign too until the overlap ends, 24 hours unless set',
    body: v.object({
      overlapSeconds: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(longestOverlapSeconds)),
      ),
    }),
    output: v.object({ id, earlierExpireAt: time }),
    errors: [...ofWebhook, ...withBody],
  },
  listWebhookDeliveries: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/webhooks/{webhook}/deliveries',
    summary: 'lists the deliveries of a webhook, newest first',
    query: v.object({
      after: v.exactOptional(text),
      limit: v.exactOptional(limitInQuery),
      state: v.exactOptional(v.picklist(deliveryStates)),
    }),
    output: v.object({ data: v.array(delivery), next: v.nullable(text) }),
    errors: ofWebhook,
  },
  getWebhookDelivery: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/webhooks/{webhook}/deliveries/{delivery}',
    summary: 'returns a delivery with the body that was sent and its latest attempts, newest first',
    output: v.object({ ...delivery.entries, body: v.string(), history: v.array(attempt) }),
    errors: [...ofWebhook, 'delivery_not_found'],
  },
  replayWebhook: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/webhooks/{webhook}/replay',
    summary:
      'sends deliveries again: those with `ids`, or all that failed (`"state": "failed"`), or all events of a time range, also events from before the webhook',
    body: v.object({
      ids: v.exactOptional(v.pipe(v.array(id), v.minLength(1), v.maxLength(mostReplayIds))),
      state: v.exactOptional(v.literal('failed')),
      createdAfter: v.exactOptional(inputTime),
      createdBefore: v.exactOptional(inputTime),
    }),
    output: v.object({
      replayed: v.number(),
      /** Whether further deliveries match. Repeat the call for failed ones; narrow the range for events. */
      hasMore: v.boolean(),
    }),
    errors: [...ofWebhook, 'webhook_paused', ...withBody],
  },
  testWebhook: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/webhooks/{webhook}/test',
    summary: 'sends the event `webhook.test` to a webhook. Its delivery shows the outcome',
    output: v.object({ id }),
    errors: [...ofWebhook, 'webhook_paused', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
