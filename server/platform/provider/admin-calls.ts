/** Calls of the Admin API about requesters. They only remove rights; an operator adds requesters with a command. */
import { adminAppRoutes } from '@latchkey/protocol/admin'
import { type AdminEndpoint, AdminError, adminChange, adminRead } from '../../kernel/http/admin-endpoint.ts'
import { removeRequesterWithConnections } from './connections.ts'
import { listRequesters } from './requesters.ts'

export const requesterEndpoints: AdminEndpoint[] = [
  adminRead(adminAppRoutes.listRequesters, async ({ appId }, { db }) => ({
    output: {
      data: (await listRequesters(db, appId)).map(({ jwk, redirectAddresses, clientId, name, origin }) => ({
        clientId,
        name,
        origin,
        redirectAddresses: [...redirectAddresses],
        hasKey: jwk !== null,
      })),
    },
  })),

  adminChange(adminAppRoutes.removeRequester, async (trx, { appId, params }, { clock }) => {
    const { requester: clientId = '' } = params
    const connectionsEnded = await removeRequesterWithConnections(trx, clock, { appId, clientId })
    if (connectionsEnded === undefined) {
      throw new AdminError('requester_not_found', `The app has no requester ${clientId}`)
    }
    return { output: { clientId, connectionsEnded } }
  }),
]
