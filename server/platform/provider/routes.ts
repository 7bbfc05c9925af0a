import { LatchkeyError } from '@latchkey/protocol'
import { providerRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import {
  assertOfWalletPage,
  type DecisionSeed,
  decide,
  decisionSecretOf,
  waitingAuthorization,
} from './authorizations.ts'
import { connectionIn, endConnection, livingConnections } from './connections.ts'
import { assertProvider, issuerOf } from './openid/issuer.ts'

export const providerEndpoints: readonly Endpoint[] = [
  endpoint(providerRoutes.verifyAuthorization, async ({ app, caller, body }, context) => {
    assertProvider(app)
    assertOfWalletPage(caller)
    const waiting = await waitingAuthorization(context.db, context, caller, body.interaction)
    const { name, origin } = waiting.requester
    return {
      requester: { name, origin },
      scopes: waiting.scopes.slice(),
      expiresInSeconds: waiting.expiresInSeconds,
    }
  }),

  replayedEndpoint(providerRoutes.authorize, {
    decide(trx, { app, caller, body, language }, context) {
      assertProvider(app)
      assertOfWalletPage(caller)
      const { interaction, ...decision } = body
      return decide(trx, context, caller, interaction, language, decision)
    },
    render: (seed: DecisionSeed, { app, body }, context) => ({
      finishUrl: `${issuerOf(context.config, app)}/interaction/${body.interaction}/finish`,
      secret: decisionSecretOf(context, seed),
    }),
  }),

  // Also where the app is no provider any more: what was allowed can be seen and ended.
  endpoint(providerRoutes.connectedApps, async ({ caller: { appId, userId } }, { db }) => {
    const apps = []
    for (const row of await livingConnections(db, { appId, userId })) {
      const connection = await connectionIn(db, row)
      if (!connection) continue
      const { id, requester, scopes, address, dailyUsd } = connection
      const { name, origin } = requester
      apps.push({
        ...{ id, name, origin, scopes: [...scopes], address, dailyUsd },
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      })
    }
    return { apps }
  }),

  replayedEndpoint(providerRoutes.endConnectedApp, {
    async decide(trx, { caller: { appId, userId, sessionId }, body }, { clock }) {
      const rows = await livingConnections(trx, { appId, userId })
      const row = rows.find(({ id }) => id === body.id)
      if (!row) throw new LatchkeyError('not_found', 'This app is not connected')
      await endConnection(trx, clock, row, { sessionId })
    },
    render: () => ({ success: true }) as const,
  }),
]
