import { type AccessToken, verify } from '../tokens/access-token.ts'
import { LatchkeyServerError } from '../tokens/errors.ts'
import { createKeySet } from '../tokens/key-set.ts'

export type LatchkeyServerOptions = {
  /** The id of your app: a token for another app is refused. */
  appId: string
  /** The origin of the dialog, as in `dialogUrl` of the loader: `https://dialog.example`. */
  issuer: string
  /** Where the public keys are, if your backend reaches the issuer by another address. */
  keysUrl?: string
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: typeof fetch
  /** Replaces the clock, for a test. */
  nowMs?: () => number
}

export type Authentication =
  | { authenticated: true; user: AccessToken }
  | { authenticated: false; error: LatchkeyServerError }

/** What of a request is read: any `Request`, and what frameworks have instead. */
type RequestHead = { headers: Pick<Headers, 'get'> }

export type LatchkeyServer = {
  /** Whom the token of `getAccessToken()` names. Rejects with a `LatchkeyServerError`. */
  verifyAccessToken(token: string): Promise<AccessToken>
  /** Who sent a request, by its `Authorization` header. It never rejects for what a client sent. */
  authenticateRequest(request: RequestHead): Promise<Authentication>
}

export function createLatchkeyServer(options: LatchkeyServerOptions): LatchkeyServer {
  const { appId, nowMs = Date.now } = options
  if (!appId) throw new TypeError('createLatchkeyServer needs `appId`, the id of your app')
  const issuer = originOf(options.issuer)
  const keyOf = createKeySet({
    url: options.keysUrl ?? `${issuer}/.well-known/jwks.json`,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    nowMs,
  })
  const verifyAccessToken = (token: string) => verify(token, { appId, issuer, keyOf, nowMs })

  return {
    verifyAccessToken,
    async authenticateRequest({ headers }) {
      try {
        return { authenticated: true, user: await verifyAccessToken(bearerOf(headers.get('authorization'))) }
      } catch (error) {
        if (error instanceof LatchkeyServerError) return { authenticated: false, error }
        throw error
      }
    },
  }
}

function originOf(issuer: string): string {
  if (!URL.canParse(issuer))
    throw new TypeError(
      'createLatchkeyServer needs `issuer`, the origin of the dialog, as "https://dialog.example"',
    )
  return new URL(issuer).origin
}

/** RFC 7235: the scheme is read in any case. */
const bearerOf = (header: string | null): string => /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? ''
