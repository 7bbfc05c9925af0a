import type { Capability } from '../capability.ts'
import { mfaMigrations } from './tables.ts'

/** What all methods run on; each has a folder and a capability of its own. */
export const mfa: Capability = {
  name: 'mfa',
  migrations: mfaMigrations,
  expiries: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', keptSeconds: 0 },
    { table: 'mfa_methods', key: ['id'], column: 'expires_at', keptSeconds: 0 },
  ],
}
