import { type Capability, port } from '../../kernel/capability.ts'
import { secondFactors } from '../../wallet/wallets/wallets.ts'
import { mfaResetCommand } from './command.ts'
import { verificationMigrations } from './tables.ts'
import { requireVerification, useVerification } from './verification.ts'

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  ports: [port(secondFactors, () => ({ value: { use: useVerification, require: requireVerification } }))],
  userRows: [
    { table: 'mfa_verifications', goes: 'with the account', by: ['user_id'] },
    { table: 'mfa_tries', goes: 'with the account', by: ['user_id'] },
  ],
  restored: { drops: ['mfa_verifications'] },
  expiries: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', keptSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', keptSeconds: 0 },
  ],
}

/** What all methods have; each has a folder and a capability of its own. */
export const mfa: Capability = {
  name: 'mfa',
  appCommands: [mfaResetCommand],
  userRows: [{ table: 'mfa_methods', goes: 'with the account', by: ['user_id'] }],
  expiries: [{ table: 'mfa_methods', key: ['id'], column: 'expires_at', keptSeconds: 0 }],
}
