import { outboxMigrations } from '../../identity/outbox/outbox.ts'
import type { Capability } from '../../kernel/capability.ts'
import { webhookEndpoints } from './calls.ts'
import { webhooksCommand } from './command.ts'
import { webhookEnvironment } from './environment.ts'
import { webhookLimits } from './limits.ts'

export const webhooks: Capability = {
  name: 'webhooks',
  adminEndpoints: webhookEndpoints,
  appCommands: [webhooksCommand],
  environment: webhookEnvironment,
  migrations: outboxMigrations,
  wrapped: [{ table: 'webhook_secrets', column: 'wrapped' }],
  userRows: [
    { table: 'webhook_events', goes: 'by age' },
    { table: 'webhook_sequences', goes: 'with the last row', key: ['user_id'], column: 'created_at' },
  ],
  expiryRules: [
    { table: 'webhook_secrets', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
    {
      table: 'webhook_deliveries',
      key: ['webhook_id', 'event_id'],
      column: 'created_at',
      retentionSeconds: webhookLimits.keptSeconds,
    },
    {
      table: 'webhook_attempts',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: webhookLimits.keptSeconds,
    },
    {
      table: 'webhook_events',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: webhookLimits.keptSeconds,
    },
  ],
}
