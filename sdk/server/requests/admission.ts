import type { AccessToken } from '../tokens/access-token.ts'
import type { LatchkeyServerError } from '../tokens/errors.ts'
import type { LatchkeyServer } from './latchkey-server.ts'

export type AuthOptions = {
  /** Lets requests without a token through. A token that is there must be right all the same. */
  optional?: boolean
}

/** What an adapter does with a request: it goes on, with its user where there is one, or is answered with the error. */
export type Admission =
  | { admitted: true; user: AccessToken | undefined }
  | { admitted: false; error: LatchkeyServerError }

export async function admit(
  latchkey: LatchkeyServer,
  authorization: string | null,
  { optional = false }: AuthOptions = {},
): Promise<Admission> {
  const authentication = await latchkey.authenticateRequest({
    headers: { get: (name) => (name === 'authorization' ? authorization : null) },
  })
  if (authentication.authenticated) return { admitted: true, user: authentication.user }
  const { error } = authentication
  return optional && error.code === 'missing_token'
    ? { admitted: true, user: undefined }
    : { admitted: false, error }
}

/** The header of a request of Node. Node joins repeated `Authorization` headers by taking the first. */
export type NodeRequest = { headers: { authorization?: string | undefined } }

const users = new WeakMap<object, AccessToken>()

/** Who sent the request, once the middleware has seen it; undefined where `optional` let it through. */
export const userOf = (request: object): AccessToken | undefined => users.get(request)

/** The error that a request of Node is answered with; undefined where it goes on. */
export async function refusalOf(
  latchkey: LatchkeyServer,
  request: NodeRequest,
  options: AuthOptions,
): Promise<LatchkeyServerError | undefined> {
  const admission = await admit(latchkey, request.headers.authorization ?? null, options)
  if (!admission.admitted) return admission.error
  if (admission.user) users.set(request, admission.user)
  return undefined
}
