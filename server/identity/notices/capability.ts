import type { Capability } from '../../kernel/capability.ts'
import { noticeMigrations, noticeTables } from './tables.ts'

export const notices: Capability = {
  name: 'notices',
  migrations: noticeMigrations,
  async forget(trx, { userId }) {
    await noticeTables(trx).deleteFrom('login_notices').where('user_id', '=', userId).execute()
  },
  expiries: [{ table: 'login_notices', key: ['id'], column: 'expires_at', keptSeconds: 0 }],
}
