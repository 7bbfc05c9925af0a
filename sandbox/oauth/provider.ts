/** What one provider does in its own way. `providers.ts` has them all. */
import type { Person } from './people.ts'

export type Answer = {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What was granted, as the provider's answers tell of it. */
export type Granted = {
  readonly person: Person
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly nonce: string | undefined
  readonly accessToken: string
  readonly issuer: string
}

/** What is chosen on the consent page beside a person. */
export const trials = ['suspended', 'expired-code', 'rate-limited'] as const
export type Trial = (typeof trials)[number]

export type IdToken = (claims: Readonly<Record<string, unknown>>) => string

export type Provider = {
  readonly title: string
  /** Host and path. */
  readonly authorize: string
  readonly token: string
  readonly jwks?: string
  readonly clientIdParameter: 'client_id' | 'client_key'
  readonly clientAuthentication: 'basic' | 'post' | 'signed'
  readonly scopeSeparator: ' ' | ','
  /** Scopes without which it refuses. */
  readonly scopes: readonly string[]
  /** `checked`: where a challenge was sent, so must the verifier. `refused`: a verifier is a wrong client. */
  /** What the same client may ask for as well, and comes back to under another name. */
  readonly also?: { readonly scope: string; readonly callback: string }
  readonly pkce: 'required' | 'checked' | 'ignored' | 'refused'
  readonly responseMode: 'query' | 'form_post'
  /** Beside code and state. */
  readonly comesBackWith?: (issuer: string) => Readonly<Record<string, string>>
  readonly denied: Readonly<Record<string, string>>
  readonly wrongCode: Answer
  readonly wrongClient: Answer
  readonly tokenAnswer: (granted: Granted, idToken: IdToken) => unknown
  /** Where the token may also be in the query. */
  readonly tokenInQuery?: boolean
  /** By host and path: what it says of who granted the token. */
  readonly apis: Readonly<Record<string, (granted: Granted) => Answer>>
  readonly suspended: Answer
  readonly rateLimited: Answer
}
