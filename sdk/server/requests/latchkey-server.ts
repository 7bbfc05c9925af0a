import { type AccessToken, verify } from '../tokens/access-token.ts'
import { LatchkeyServerError } from '../tokens/errors.ts'
import { createKeySet } from '../tokens/key-set.ts'

export type LatchkeyServerOptions = {
  /** The id of your app. Tokens for other apps are rejected. */
  appId: string
  /** The origin of the dialog, as in the loader's `dialogUrl`: `https://dialog.example`. */
  issuer: string
  /** The URL of the public keys, if your backend reaches the issuer at another address. */
  keysUrl?: string
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: typeof fetch
  /** Replaces the clock, for a test. */
  nowMs?: () => number
}

export type Authentication =
  | { authenticated: true; user: AccessToken }
  | { authenticated: false; error: LatchkeyServerError }

/** The part of a request that is read. Fits any `Request` and most frameworks. */
type RequestHead = { headers: Pick<Headers, 'get'> }

export type LatchkeyServer = {
  /** Verifies a token of `getAccessToken()` and returns its user. Rejects with a `LatchkeyServerError`. */
  verifyAccessToken(token: string): Promise<AccessToken>
  /** Verifies the `Authorization` header of a request. Never rejects for an invalid header or token. */
  authenticateRequest(request: RequestHead): Promise<Authentication>
}

export function createLatchkeyServer(options: LatchkeyServerOptions): LatchkeyServer {
  const { appId, nowMs = Date.now } = options
  if (!appId) throw new TypeError('createLatchkeyServer requires `appId`, the id of your app')
  const issuer = parseOrigin(options.issuer)
  const getKey = createKeySet({
    url: options.keysUrl ?? `${issuer}/.well-known/jwks.json`,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    nowMs,
  })
  const verifyAccessToken = (token: string) => verify(token, { appId, issuer, getKey, nowMs })

  return {
    verifyAccessToken,
    async authenticateRequest({ headers }) {
      try {
        return {
          authenticated: true,
          user: await verifyAccessToken(parseBearer(headers.get('authorization'))),
        }
      } catch (error) {
        if (error instanceof LatchkeyServerError) return { authenticated: false, error }
        throw error
      }
    },
  }
}

function parseOrigin(issuer: string): string {
  if (!URL.canParse(issuer))
    throw new TypeError(
      'createLatchkeyServer requires `issuer`, the origin of the dialog, such as "https://dialog.example"',
    )
  return new URL(issuer).origin
}

/** Returns the bearer token. The scheme is case-insensitive (RFC 7235). */
const parseBearer = (header: string | null): string => /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? ''
