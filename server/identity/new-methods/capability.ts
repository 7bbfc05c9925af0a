import type { Capability } from '../../kernel/capability.ts'
import { newMethodMigrations, newMethodTables } from './tables.ts'

export const newMethods: Capability = {
  name: 'new-methods',
  settings: ['newMethodHours'],
  migrations: newMethodMigrations,
  async forget(trx, { userId }) {
    await newMethodTables(trx).deleteFrom('take_backs').where('user_id', '=', userId).execute()
  },
  expiries: [{ table: 'take_backs', key: ['secret_hash'], column: 'expires_at', keptSeconds: 0 }],
}
