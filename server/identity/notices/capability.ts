import type { Capability } from '../../kernel/capability.ts'
import { noticeMigrations } from './tables.ts'

export const notices: Capability = {
  name: 'notices',
  migrations: noticeMigrations,
  userRows: [{ table: 'login_notices', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'login_notices', key: ['id'], column: 'expires_at', retentionSeconds: 0 }],
}
