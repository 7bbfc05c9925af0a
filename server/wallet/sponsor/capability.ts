import { sponsorRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { sponsorAdminEndpoints } from './admin-calls.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsorMigrations } from './tables.ts'

/** Loaded with the first operation, because they encode transactions. */
const loadQuotes = () => import('./quotes.ts')
const loadOperations = () => import('./operations.ts')
const loadSolana = () => import('./solana.ts')

const sponsorEndpoints: Endpoint[] = [
  endpoint(sponsorRoutes.quoteOperation, async ({ app, caller, body }, context) =>
    (await loadQuotes()).quoteOperation(context, app, caller, body),
  ),
  replayedEndpoint(sponsorRoutes.sendOperation, {
    reserve: async (trx, { caller }, context) =>
      (await loadOperations()).reserveOperation(trx, context, caller),
    ask: {
      repeatable: true,
      run: async (_, { app, caller, body }, context) =>
        (await loadOperations()).checkOperation(context, app, caller, body),
    },
    decide: async (trx, { app }, context, { answer }) =>
      (await loadOperations()).storeOperation(trx, context, app, answer),
    perform: async (sent, _, context) => (await loadOperations()).performOperation(context, sent),
    render: async (sent, { caller }, context) =>
      (await loadOperations()).renderOperation(context, caller, sent),
  }),
  endpoint(sponsorRoutes.quoteDelegation, async ({ app, caller, body }, context) =>
    (await loadQuotes()).quoteDelegation(context, app, caller, body),
  ),
  replayedEndpoint(sponsorRoutes.sendDelegation, {
    reserve: async (trx, { caller }, context) =>
      (await loadOperations()).reserveOperation(trx, context, caller),
    ask: {
      repeatable: true,
      run: async (_, { app, caller, body }, context) =>
        (await loadOperations()).checkDelegation(context, app, caller, body),
    },
    decide: async (trx, { app }, context, { answer }) =>
      (await loadOperations()).storeOperation(trx, context, app, answer),
    perform: async (sent, _, context) => (await loadOperations()).performOperation(context, sent),
    render: async (sent, { caller }, context) =>
      (await loadOperations()).renderOperation(context, caller, sent),
  }),
  endpoint(sponsorRoutes.quoteSolanaTransaction, async ({ app, caller, body }, context) =>
    (await loadSolana()).quoteSolanaTransaction(context, app, caller, body),
  ),
  replayedEndpoint(sponsorRoutes.signSolanaTransaction, {
    reserve: async (trx, { caller }, context) =>
      (await loadOperations()).reserveOperation(trx, context, caller),
    ask: {
      repeatable: true,
      run: async (_, { app, caller, body }, context) =>
        (await loadSolana()).checkSolanaTransaction(context, app, caller, body),
    },
    decide: async (trx, { app }, context, { answer }) =>
      (await loadSolana()).storeSolanaTransaction(trx, context, app, answer),
    render: async (signed) => (await loadSolana()).renderSolanaTransaction(signed),
  }),
  endpoint(sponsorRoutes.operationStatus, async ({ caller, body }, context) =>
    (await loadOperations()).operationStatus(context, caller, body.id),
  ),
]

/** Pays the fees of users: sends their operations in transactions of the operator. */
export const sponsor: Capability = {
  name: 'sponsor',
  endpoints: sponsorEndpoints,
  adminEndpoints: sponsorAdminEndpoints,
  settings: ['sponsoredChains', 'sponsoredClusters', 'sponsorLimits'],
  migrations: sponsorMigrations,
  // Kept after the deletion of the user: a nonce without its transaction would block all later ones.
  userRows: [{ table: 'sponsored_operations', goes: 'by age' }],
  restored: { drops: ['sponsored_operations', 'sponsor_relays'] },
  expiryRules: [
    {
      table: 'sponsored_operations',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: sponsorServerLimits.keptSeconds,
    },
  ],
}
