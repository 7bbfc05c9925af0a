import type { Capability } from '../../capability.ts'

/** Request replay: idempotency keys for changing calls (`replay.ts`). */
export const replay: Capability = {
  name: 'replay',
  restored: { drops: ['request_replays'] },
  expiryRules: [
    { table: 'request_replays', key: ['app_id', 'request_id'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
