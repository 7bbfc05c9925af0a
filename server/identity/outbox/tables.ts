import type { WebhookEventType, webhookPauseReasons } from '@latchkey/protocol/admin'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type WebhookRow = {
  id: string
  app_id: string
  url: string
  description: string
  /** Event types, each between spaces. Empty for all. */
  events: string
  state: 'enabled' | 'paused'
  paused_at: number | null
  pause_reason: (typeof webhookPauseReasons)[number] | null
  /** The first of the latest failures, without a success since. */
  failing_since: number | null
  created_at: number
}

export type WebhookSecretRow = {
  id: string
  app_id: string
  webhook_id: string
  /** The HMAC key and the seed of the ed25519 key, wrapped. */
  wrapped: string
  created_at: number
  /** When it stops signing, or null for the current one. */
  expires_at: number | null
}

export type WebhookEventRow = {
  /** The `webhook-id`. */
  id: string
  app_id: string
  user_id: string | null
  type: WebhookEventType
  /** The exact JSON that is sent. */
  body: string
  created_at: number
}

export type WebhookDeliveryRow = {
  webhook_id: string
  event_id: string
  state: 'pending' | 'delivered' | 'failed'
  /** Attempts since the event, or since it was replayed. */
  attempts: number
  /** When the next attempt is due, or when the lease of a running one ends. Null unless pending. */
  due_at_ms: number | null
  /** Names the running attempt. */
  lease: string | null
  attempted_at: number | null
  /** The HTTP status of the last attempt. */
  status: number | null
  duration_ms: number | null
  error: string | null
  created_at: number
}

export type WebhookAttemptRow = {
  id: string
  webhook_id: string
  event_id: string
  attempted_at_ms: number
  /** The HTTP status, or null if there was no answer. */
  status: number | null
  duration_ms: number
  error: string | null
  created_at: number
}

type OutboxTables = {
  webhooks: WebhookRow
  webhook_secrets: WebhookSecretRow
  webhook_events: WebhookEventRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
  /** The number of the last event of each user. */
  webhook_sequences: { user_id: string; sequence: number; created_at: number }
}

/** Adds the tables of webhooks to a reader. */
export const withOutboxTables = (reader: Reader) => reader.withTables<OutboxTables>()

export const outboxMigrations: Migrations = {
  '0001-tables': {
    async up({ schema }) {
      await schema
        .createTable('webhooks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('description', 'text', (column) => column.notNull())
        .addColumn('events', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('paused_at', 'bigint')
        .addColumn('pause_reason', 'text')
        .addColumn('failing_since', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('webhooks_by_app').on('webhooks').columns(['app_id', 'created_at']).execute()

      await schema
        .createTable('webhook_secrets')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('webhook_id', 'text', (column) => column.notNull())
        .addColumn('wrapped', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint')
        .execute()
      await schema
        .createIndex('webhook_secrets_by_webhook')
        .on('webhook_secrets')
        .column('webhook_id')
        .execute()
      await schema.createIndex('webhook_secrets_by_end').on('webhook_secrets').column('expires_at').execute()

      await schema
        .createTable('webhook_events')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text')
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('webhook_events_by_app')
        .on('webhook_events')
        .columns(['app_id', 'created_at'])
        .execute()
      await schema.createIndex('webhook_events_by_age').on('webhook_events').column('created_at').execute()

      await schema
        .createTable('webhook_deliveries')
        .addColumn('webhook_id', 'text', (column) => column.notNull())
        .addColumn('event_id', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'bigint', (column) => column.notNull())
        .addColumn('due_at_ms', 'bigint')
        .addColumn('lease', 'text')
        .addColumn('attempted_at', 'bigint')
        .addColumn('status', 'bigint')
        .addColumn('duration_ms', 'bigint')
        .addColumn('error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('webhook_deliveries_key', ['webhook_id', 'event_id'])
        .execute()
      await schema
        .createIndex('webhook_deliveries_by_due')
        .on('webhook_deliveries')
        .column('due_at_ms')
        .execute()
      await schema
        .createIndex('webhook_deliveries_by_webhook')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'created_at', 'event_id'])
        .execute()
      await schema
        .createIndex('webhook_deliveries_by_age')
        .on('webhook_deliveries')
        .column('created_at')
        .execute()

      await schema
        .createTable('webhook_sequences')
        .addColumn('user_id', 'text', (column) => column.primaryKey())
        .addColumn('sequence', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0002-attempts': {
    async up({ schema }) {
      await schema
        .createTable('webhook_attempts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('webhook_id', 'text', (column) => column.notNull())
        .addColumn('event_id', 'text', (column) => column.notNull())
        .addColumn('attempted_at_ms', 'bigint', (column) => column.notNull())
        .addColumn('status', 'bigint')
        .addColumn('duration_ms', 'bigint', (column) => column.notNull())
        .addColumn('error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('webhook_attempts_by_webhook')
        .on('webhook_attempts')
        .columns(['webhook_id', 'event_id', 'attempted_at_ms'])
        .execute()
      await schema
        .createIndex('webhook_attempts_by_age')
        .on('webhook_attempts')
        .column('created_at')
        .execute()
    },
  },
  '0003-delivery-states': {
    async up({ schema }) {
      // Finds the few failed deliveries among many.
      await schema
        .createIndex('webhook_deliveries_by_state')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'state', 'created_at', 'event_id'])
        .execute()
    },
  },
}
