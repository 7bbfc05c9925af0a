import { userRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { acceptTerms, requireUser } from './users.ts'

export const userEndpoints: readonly Endpoint[] = [
  endpoint(userRoutes.me, ({ caller }, { db }) => requireUser(db, caller.appId, caller.userId)),
  endpoint(userRoutes.acceptTerms, ({ caller }, context) => acceptTerms(context, caller)),
]
