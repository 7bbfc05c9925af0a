import { product } from '@latchkey/protocol'
import { counter, gauge } from '../../kernel/telemetry/instruments.ts'

export const webhookAttempts = counter({
  name: `${product.key}.webhook.attempts`,
  unit: '{attempt}',
  description: 'Attempts to deliver webhooks: `delivered`, `retried` later, or `failed` for good',
  attributes: ['outcome'],
})
export const webhookPauses = counter({
  name: `${product.key}.webhook.pauses`,
  unit: '{webhook}',
  description: 'Webhooks that the server paused, by reason',
  attributes: ['reason'],
})
export const webhookDelay = gauge({
  name: `${product.key}.webhook.delay`,
  unit: 's',
  description: 'How long the oldest due delivery has waited',
  attributes: [],
})
