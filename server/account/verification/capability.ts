import type { Capability } from '../../kernel/capability.ts'
import { verificationMigrations, verificationTables } from './tables.ts'

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  async forget(trx, { userId }) {
    const tables = verificationTables(trx)
    await tables.deleteFrom('mfa_verifications').where('user_id', '=', userId).execute()
    await tables.deleteFrom('mfa_tries').where('user_id', '=', userId).execute()
  },
  expiries: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', keptSeconds: 0 },
  ],
}
