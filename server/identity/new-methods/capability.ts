import type { Capability } from '../../kernel/capability.ts'
import { newMethodMigrations } from './tables.ts'

export const newMethods: Capability = {
  name: 'new-methods',
  settings: ['newMethodHours'],
  migrations: newMethodMigrations,
  userRows: [{ table: 'take_backs', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'take_backs', key: ['secret_hash'], column: 'expires_at', retentionSeconds: 0 }],
}
