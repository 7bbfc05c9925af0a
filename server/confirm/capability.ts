import type { Capability } from '../capability.ts'
import { confirmServerLimits } from '../limits.ts'
import { confirmEndpoints } from './routes.ts'
import { confirmationMigrations } from './tables.ts'

/** What is signed is read, judged and counted here before a share leaves for it. */
export const confirm: Capability = {
  name: 'confirm',
  endpoints: confirmEndpoints,
  settings: ['frameApprovalsUsdPerDay', 'noPrompt'],
  migrations: confirmationMigrations,
  expiries: [
    {
      table: 'confirmations',
      key: ['id'],
      column: 'expires_at',
      keptSeconds: confirmServerLimits.keptSeconds,
    },
    { table: 'wallet_spending', key: ['confirmation_id'], column: 'expires_at', keptSeconds: 0 },
  ],
}
