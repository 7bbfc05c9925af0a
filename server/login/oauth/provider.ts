/** What is each provider's own, as data. `providers.ts` has them all, `exchange.ts` does the rest for all alike. */
import { type CrossAppProvider, emailAddress, type SocialProvider, text } from '@latchkey/protocol'
import * as v from 'valibot'

export type { SocialProvider }
/** Those that stand in `providers.ts`: to log in, or for a folder in the user's own cloud. */
export type KnownProvider = SocialProvider | 'google-drive'
/** Where somebody logs in: at one of those, or at another app, which has the wallet that they bring. */
export type FlowProvider = SocialProvider | CrossAppProvider

/** Who somebody is there. The fields are those of the entity of its accounts; `emailVerified` where an address is not. */
export type Profile = {
  subject: string
  fields: Readonly<Record<string, unknown>>
}

/** What it said instead of what was asked for. */
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
  /** How it wants to be told who asks: RFC 6749, 2.3.1, or a secret that is a token signed by a key of ours. */
  authentication: 'basic' | 'post' | 'signed'
  scopes: readonly string[]
  scopeSeparator: ' ' | ','
  /** False where the provider documents it for other kinds of clients alone. */
  pkce: boolean
  /** Parameters in addition to those of RFC 6749. */
  parameters?: Readonly<Record<string, string>>
  /** What the redirect says where the person did not want to. */
  deniedErrors: readonly string[]
  /** What the token endpoint says of a code that is wrong, used or too old. */
  wrongCodeErrors: readonly string[]
  /** Where that is not told by 429. */
  isRateLimit?: (refused: Refused) => boolean
  /** Turns the answer of its token endpoint into that of RFC 6749, where it is another. */
  tokenAnswer?: (body: unknown) => unknown
  profile:
    | { from: 'id token'; jwks: string; read: (claims: unknown) => Profile }
    | {
        from: 'requests'
        urls: readonly string[]
        /**
         * The token is in the header `authorization`, unless the documentation of the provider has it in the query
         * alone.
         */
        tokenIn?: 'query'
        read: (answers: readonly unknown[]) => Profile
      }
}

/** What a provider says of a person is not ours to refuse: what can not be kept is left out. */
export const said = v.optional(v.fallback(v.nullable(v.pipe(text, v.nonEmpty())), null), null)
export const subject = v.pipe(text, v.nonEmpty())

/** Null for what is no address, and for one that the provider has not verified. */
export function verifiedEmail(email: string | null, isVerified: boolean): string | null {
  if (email === null || !isVerified) return null
  const parsed = v.safeParse(emailAddress, email)
  return parsed.success ? parsed.output : null
}

/** Apple writes some of its booleans as text. */
export const flag = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => value === true || value === 'true'),
  ),
  false,
)
