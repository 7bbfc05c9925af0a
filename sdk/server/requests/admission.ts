import type { AccessToken } from '../tokens/access-token.ts'
import type { LatchkeyServerError } from '../tokens/errors.ts'
import type { LatchkeyServer } from './latchkey-server.ts'

export type AuthOptions = {
  /** Also admits requests without a token. A present token must still be valid. */
  optional?: boolean
}

/** The decision about a request: admitted with its user, if any, or rejected with the error. */
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

/** A Node request. Node keeps only the first of repeated `Authorization` headers. */
export type NodeRequest = { headers: { authorization?: string | undefined } }

const users = new WeakMap<object, AccessToken>()

/**
 * Returns the user of a request that passed the middleware; undefined if `optional` admitted it without a
 * token.
 */
export const getAuth = (request: object): AccessToken | undefined => users.get(request)

/**
 * Authenticates a Node request. Returns the error for the response, or undefined if the request is admitted.
 */
export async function rejectUnauthenticated(
  latchkey: LatchkeyServer,
  request: NodeRequest,
  options: AuthOptions,
): Promise<LatchkeyServerError | undefined> {
  const admission = await admit(latchkey, request.headers.authorization ?? null, options)
  if (!admission.admitted) return admission.error
  if (admission.user) users.set(request, admission.user)
  return undefined
}
