/** How one provider differs from the others. `providers.ts` lists them all. */
import type { Person } from './people.ts'

export type Answer = {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A grant, with the values that the provider's answers contain. */
export type Granted = {
  readonly person: Person
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly nonce: string | undefined
  readonly accessToken: string
  readonly issuer: string
}

/** The failures that can be chosen on the consent page. */
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
  /** Another scope that the same client may ask for, with a callback of another name. */
  readonly also?: { readonly scope: string; readonly callback: string }
  readonly pkce: 'required' | 'checked' | 'ignored' | 'refused'
  readonly responseMode: 'query' | 'form_post'
  /** Parameters that the redirect carries besides code and state. */
  readonly comesBackWith?: (issuer: string) => Readonly<Record<string, string>>
  readonly denied: Readonly<Record<string, string>>
  readonly wrongCode: Answer
  readonly wrongClient: Answer
  readonly tokenAnswer: (granted: Granted, idToken: IdToken) => unknown
  /** True if the API also accepts the token in the query. */
  readonly tokenInQuery?: boolean
  /** What each API says about the person who granted the token, by host and path. */
  readonly apis: Readonly<Record<string, (granted: Granted) => Answer>>
  readonly suspended: Answer
  readonly rateLimited: Answer
}
