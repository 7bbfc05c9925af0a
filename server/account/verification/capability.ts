import { type Capability, port } from '../../kernel/capability.ts'
import { secondFactors } from '../../wallet/wallets/wallets.ts'
import { verificationMigrations } from './tables.ts'
import { consumeVerification, requireVerification } from './verification.ts'

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  ports: [port(secondFactors, () => ({ value: { use: consumeVerification, require: requireVerification } }))],
  userRows: [
    { table: 'mfa_verifications', goes: 'with the account', by: ['user_id'] },
    { table: 'mfa_tries', goes: 'with the account', by: ['user_id'] },
  ],
  restored: { drops: ['mfa_verifications'] },
  expiryRules: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', retentionSeconds: 0 },
  ],
}

/** The shared parts of all second factors. Each method also has its own capability. */
export const mfa: Capability = {
  name: 'mfa',
  userRows: [{ table: 'mfa_methods', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'mfa_methods', key: ['id'], column: 'expires_at', retentionSeconds: 0 }],
}
