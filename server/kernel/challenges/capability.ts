import type { Capability } from '../capability.ts'
import { challengeTables } from './challenges.ts'

export const challenges: Capability = {
  name: 'challenges',
  migrations: { '0001-challenges': challengeTables },
  restored: { drops: ['challenges'] },
  expiryRules: [
    { table: 'challenges', key: ['app_id', 'purpose', 'id'], column: 'expires_at', retentionSeconds: 0 },
  ],
  userRows: [{ table: 'challenges', goes: 'with the account', by: ['app_id', 'user_id'] }],
}
