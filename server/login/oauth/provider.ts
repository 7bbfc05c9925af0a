/** The description of a provider, as data. `providers.ts` contains all providers, `exchange.ts` the common protocol. */
import { emailAddress, type NamedLoginMethod, type SocialProvider, text } from '@latchkey/protocol'
import * as v from 'valibot'

export type { SocialProvider }
/** Providers in `providers.ts`: for login, or for a folder in the user's cloud storage. */
export type KnownProvider = SocialProvider | 'google-drive'
/** Providers of a login: a built-in one, or one that the operator configured for the app. */
export type FlowProvider = SocialProvider | NamedLoginMethod

/**
 * A user at a provider. `fields` are those of the account entity; `emailVerified` is present if the address is not
 * verified.
 */
export type Profile = {
  subject: string
  /** The issuer that assigned the subject, if the provider's name does not imply it. */
  issuer?: string
  fields: Readonly<Record<string, unknown>>
  /** The hash of the session at the provider, which its logout tokens name. */
  providerSession?: string | undefined
}

/** An error response. */
export type Refused = {
  status: number
  body: unknown
  headers: Headers
}

export type OAuthProvider = {
  issuer: string
  authorization: string
  token: string
  clientIdParameter: 'client_id' | 'client_key'
  /**
   * The client authentication: a secret (RFC 6749, 2.3.1), or a token signed with our key. RFC 6749 encodes both parts
   * of `encoded basic`; the providers with `basic` do not decode them.
   */
  authentication: 'basic' | 'encoded basic' | 'post' | 'signed'
  /** The provider adds `iss` to its redirects (RFC 9207), so a redirect without it is rejected. */
  redirectsWithIssuer?: boolean
  /** Accepted signatures of ID tokens. RS256 by default. */
  idTokenAlgorithms?: string[]
  scopes: readonly string[]
  scopeSeparator: ' ' | ','
  /** False if the provider documents PKCE for other client types only. */
  pkce: boolean
  /** Parameters in addition to those of RFC 6749. */
  parameters?: Readonly<Record<string, string>>
  /** Error codes of the redirect if the user denied. */
  deniedErrors: readonly string[]
  /** Error codes of the token endpoint for a wrong, used or expired code. */
  wrongCodeErrors: readonly string[]
  /** Detects rate limits that are not reported with status 429. */
  isRateLimit?: (refused: Refused) => boolean
  /** Converts a non-standard token response to RFC 6749. */
  tokenAnswer?: (body: unknown) => unknown
  profile:
    | { from: 'id token'; jwks: string; read: (claims: unknown) => Profile }
    | {
        from: 'requests'
        urls: readonly string[]
        /** The token is sent in the `authorization` header, unless the provider documents only the query. */
        tokenIn?: 'query'
        read: (answers: readonly unknown[]) => Profile
      }
}

/** Invalid optional profile fields become null instead of failing the login. */
export const optionalText = v.optional(v.fallback(v.nullable(v.pipe(text, v.nonEmpty())), null), null)
export const subject = v.pipe(text, v.nonEmpty())

/** Returns null for an invalid or unverified address. */
export function verifiedEmail(email: string | null, isVerified: boolean): string | null {
  if (email === null || !isVerified) return null
  const parsed = v.safeParse(emailAddress, email)
  return parsed.success ? parsed.output : null
}

/** Apple sends some booleans as strings. */
export const flag = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => value === true || value === 'true'),
  ),
  false,
)
