/** The description of one provider; `providers.ts` lists all of them. */
import type { Person } from './people.ts'

export type Answer = {
  status?: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** A grant, with the values that token and API responses contain. */
export type GrantedAccess = {
  person: Person
  subject: string
  clientId: string
  scopes: readonly string[]
  nonce: string | undefined
  accessToken: string
  issuer: string
}

/** Failures that the consent page offers. */
export const trials = ['suspended', 'expired-code', 'rate-limited'] as const
export type Trial = (typeof trials)[number]

export type IdToken = (claims: Readonly<Record<string, unknown>>) => string

export type Provider = {
  title: string
  /** Host and path. */
  authorize: string
  token: string
  jwks?: string
  clientIdParameter: 'client_id' | 'client_key'
  clientAuthentication: 'basic' | 'post' | 'signed'
  scopeSeparator: ' ' | ','
  /** Required scopes. */
  scopes: readonly string[]
  /** The name in redirect URIs, if it is not the provider's own. */
  callback?: string
  /** Serves a discovery document (OpenID Connect Discovery 1.0) at its issuer. */
  isDiscoverable?: true
  /** Another scope that the same client may request, with its own callback. */
  also?: { scope: string; callback: string }
  /** `checked` requires a verifier after a challenge. `refused` rejects a verifier as a wrong client. */
  pkce: 'required' | 'checked' | 'ignored' | 'refused'
  responseMode: 'query' | 'form_post'
  /** Parameters of the redirect besides code and state. */
  redirectParameters?: (issuer: string) => Readonly<Record<string, string>>
  denied: Readonly<Record<string, string>>
  wrongCode: Answer
  wrongClient: Answer
  tokenAnswer: (granted: GrantedAccess, idToken: IdToken) => unknown
  /** Whether the API also accepts the token in the query. */
  tokenInQuery?: boolean
  /** API responses for the grant's person, by host and path. */
  apis: Readonly<Record<string, (granted: GrantedAccess) => Answer>>
  suspended: Answer
  rateLimited: Answer
}
