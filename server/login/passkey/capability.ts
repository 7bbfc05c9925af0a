import { type Capability, nothingMissing } from '../../kernel/capability.ts'
import { passkeyEndpoints } from './routes.ts'
import { passkeyMigrations, passkeyTables } from './tables.ts'
import { passkeyWindowPages } from './window/pages.ts'
import { passkeyWindowEndpoints } from './window/routes.ts'
import { windowOriginColumn, windowTables } from './window/store.ts'

export const passkey: Capability = {
  name: 'login/passkey',
  endpoints: [...passkeyEndpoints, ...passkeyWindowEndpoints],
  pages: passkeyWindowPages,
  logins: [{ method: 'passkey', missing: nothingMissing }],
  settings: ['passkeyAuth'],
  migrations: {
    ...passkeyMigrations,
    '0002-windows': windowTables,
    '0003-origin-of-windows': windowOriginColumn,
  },
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
