import { type Capability, port } from '../../kernel/capability.ts'
import { secondFactors } from '../../wallet/wallets/wallets.ts'
import { mfaResetCommand } from './command.ts'
import { verificationMigrations, verificationTables } from './tables.ts'
import { requireVerification, useVerification } from './verification.ts'

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  ports: [port(secondFactors, () => ({ value: { use: useVerification, require: requireVerification } }))],
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

/** What all methods have; each has a folder and a capability of its own. */
export const mfa: Capability = {
  name: 'mfa',
  appCommands: [mfaResetCommand],
  async forget(trx, { userId }) {
    await trx.deleteFrom('mfa_methods').where('user_id', '=', userId).execute()
  },
  expiries: [{ table: 'mfa_methods', key: ['id'], column: 'expires_at', keptSeconds: 0 }],
}
