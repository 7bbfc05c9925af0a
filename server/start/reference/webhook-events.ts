/** Renders sdk/server/webhooks/events.ts: the types of webhook events. */
import { eventDataSchema, webhookEvents, webhookEventTypes } from '@latchkey/protocol/admin'
import { wireSchema } from '../../kernel/http/wire-schema.ts'
import { formatType } from './wire-types.ts'

export function renderWebhookEvents(): string {
  const lines = [
    '// Written by `npm run reference` from the events of protocol/admin. Do not edit.',
    '',
    '/** The payload of each event, by type. */',
    'export type WebhookPayloads = {',
    ...webhookEventTypes.flatMap((type) => [
      `  /** Sent when ${webhookEvents[type].when}. */`,
      `  '${type}': ${formatType(wireSchema(eventDataSchema(type)), '  ')}`,
    ]),
    '}',
  ]
  return `${lines.join('\n')}\n`
}
