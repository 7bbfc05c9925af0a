import { type Capability, nothingMissing } from '../../capability.ts'
import { passkeyEndpoints } from './routes.ts'
import { passkeyMigrations, passkeyTables } from './tables.ts'
import { passkeyWindowEndpoints } from './window/routes.ts'
import { windowTables } from './window/store.ts'

export const passkey: Capability = {
  name: 'login/passkey',
  endpoints: [...passkeyEndpoints, ...passkeyWindowEndpoints],
  logins: [{ method: 'passkey', missing: nothingMissing }],
  settings: ['passkeyAuth'],
  migrations: { ...passkeyMigrations, '0002-windows': windowTables },
  async forget(trx, { appId, userId }) {
    for (const table of ['passkeys', 'passkey_challenges'] as const) {
      await passkeyTables(trx)
        .deleteFrom(table)
        .where('app_id', '=', appId)
        .where('user_id', '=', userId)
        .execute()
    }
  },
  expiries: [
    { table: 'passkey_challenges', key: ['app_id', 'challenge'], column: 'expires_at', keptSeconds: 0 },
    { table: 'passkey_windows', key: ['id'], column: 'expires_at', keptSeconds: 0 },
  ],
}
