import type { LatchkeyServer } from '../requests/latchkey-server.ts'
import type { AccessToken } from '../tokens/access-token.ts'

/**
 * Creates an app router handler that runs only for authenticated users: `export const GET = withUser(latchkey,
 * (request, user) => Response.json({ userId: user.userId }))`.
 */
export const withUser =
  <Request extends { headers: Pick<Headers, 'get'> }, Rest extends readonly unknown[]>(
    latchkey: LatchkeyServer,
    handler: (request: Request, user: AccessToken, ...rest: Rest) => Response | Promise<Response>,
  ) =>
  async (request: Request, ...rest: Rest): Promise<Response> => {
    const authentication = await latchkey.authenticateRequest(request)
    return authentication.authenticated
      ? handler(request, authentication.user, ...rest)
      : authentication.error.toResponse()
  }
