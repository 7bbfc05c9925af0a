import type { Capability } from '../../kernel/capability.ts'
import { confirmServerLimits } from './limits.ts'
import { confirmEndpoints } from './routes.ts'
import { confirmationMigrations, confirmationTables } from './tables.ts'

/** What is signed is read, judged and counted here before a share leaves for it. */
export const confirm: Capability = {
  name: 'confirm',
  endpoints: confirmEndpoints,
  settings: [
    'frameApprovalsUsdPerDay',
    'frameApprovalsUsdPerDayUnseen',
    'frameMessagesPerDay',
    'cardCalls',
    'cardTypedData',
    'noPrompt',
    'enforceWalletUis',
  ],
  migrations: confirmationMigrations,
  async forget(trx, { userId }) {
    const tables = confirmationTables(trx)
    await tables.deleteFrom('wallet_spending').where('user_id', '=', userId).execute()
    await tables.deleteFrom('confirmations').where('user_id', '=', userId).execute()
  },
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
