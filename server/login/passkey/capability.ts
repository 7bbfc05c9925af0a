import { type Capability, nothingMissing } from '../../capability.ts'
import { passkeyEndpoints } from './routes.ts'
import { passkeyMigrations } from './tables.ts'

export const passkey: Capability = {
  name: 'login/passkey',
  endpoints: passkeyEndpoints,
  logins: [{ method: 'passkey', missing: nothingMissing }],
  settings: ['passkeyAuth'],
  migrations: passkeyMigrations,
  expiries: [
    { table: 'passkey_challenges', key: ['app_id', 'challenge'], column: 'expires_at', keptSeconds: 0 },
  ],
}
