import { LatchkeyError } from '@latchkey/protocol'
import { providerRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import {
  assertCalledByWalletPage,
  type DecisionSeed,
  decide,
  deriveDecisionSecret,
  waitingAuthorization,
} from './authorizations.ts'
import { endConnection, findActiveConnections, toConnection } from './connections.ts'
import { assertProvider, getIssuer } from './openid/issuer.ts'

export const providerEndpoints: readonly Endpoint[] = [
  endpoint(providerRoutes.verifyAuthorization, async ({ app, caller, body }, context) => {
    assertProvider(app)
    assertCalledByWalletPage(caller)
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
      assertCalledByWalletPage(caller)
      const { interaction, ...decision } = body
      return decide(trx, context, caller, interaction, language, decision)
    },
    render: (seed: DecisionSeed, { app, body }, context) => ({
      finishUrl: `${getIssuer(context.config, app)}/interaction/${body.interaction}/finish`,
      secret: deriveDecisionSecret(context, seed),
    }),
  }),

  // Also available after the app stopped being a provider, so that users can end their connections.
  endpoint(providerRoutes.connectedApps, async ({ caller: { appId, userId } }, { db }) => {
    const apps = []
    for (const row of await findActiveConnections(db, { appId, userId })) {
      const connection = await toConnection(db, row)
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
      const rows = await findActiveConnections(trx, { appId, userId })
      const row = rows.find(({ id }) => id === body.id)
      if (!row) throw new LatchkeyError('not_found', 'This app is not connected')
      await endConnection(trx, clock, row, { sessionId })
    },
    render: () => ({ success: true }) as const,
  }),
]
