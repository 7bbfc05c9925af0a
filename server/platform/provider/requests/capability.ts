import { crossAppLimits } from '@latchkey/protocol/api'
import { type Capability, port } from '../../../kernel/capability.ts'
import { requestCalls } from './open-calls.ts'
import { requestEndpoints } from './routes.ts'
import { forgetRequests } from './store.ts'
import { requestMigrations } from './tables.ts'
import { connectedApps, whoAsks } from './who-asks.ts'

/** What other apps ask of the wallets of this one's users. */
export const providerRequests: Capability = {
  name: 'provider/requests',
  endpoints: requestEndpoints,
  openCalls: requestCalls,
  ports: [port(whoAsks, () => ({ value: connectedApps }))],
  migrations: requestMigrations,
  forget: (trx, { userId }) => forgetRequests(trx, userId),
  expiries: [
    {
      table: 'cross_app_requests',
      key: ['id'],
      column: 'expires_at',
      keptSeconds: crossAppLimits.answerKeptSeconds,
    },
    { table: 'cross_app_spending', key: ['request_id'], column: 'expires_at', keptSeconds: 0 },
  ],
}
