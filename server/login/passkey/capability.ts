import { type Capability, needsNoVariables } from '../../kernel/capability.ts'
import { passkeyEndpoints } from './routes.ts'
import { passkeyMigrations } from './tables.ts'
import { passkeyWindowPages } from './window/pages.ts'
import { passkeyWindowEndpoints } from './window/routes.ts'

export const passkey: Capability = {
  name: 'login/passkey',
  endpoints: [...passkeyEndpoints, ...passkeyWindowEndpoints],
  pages: passkeyWindowPages,
  logins: [{ method: 'passkey', missing: needsNoVariables }],
  settings: ['passkeyAuth'],
  migrations: passkeyMigrations,
  userRows: [
    { table: 'passkeys', goes: 'with the account', by: ['app_id', 'user_id'] },
    { table: 'passkey_challenges', goes: 'by age' },
  ],
  restored: { drops: ['passkey_challenges', 'passkey_windows'] },
  expiryRules: [
    { table: 'passkey_challenges', key: ['app_id', 'challenge'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'passkey_windows', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
