import type { Capability } from '../capability.ts'
import { verificationMigrations } from './tables.ts'

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  expiries: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', keptSeconds: 0 },
  ],
}
