/** How one provider differs from the others. `providers.ts` lists them all. */
import type { Person } from './people.ts'

export type Answer = {
  status?: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** A grant, with the values that the provider's answers contain. */
export type Granted = {
  person: Person
  subject: string
  clientId: string
  scopes: readonly string[]
  nonce: string | undefined
  accessToken: string
  issuer: string
}

/** The failures that can be chosen on the consent page. */
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
  /** Scopes without which it refuses. */
  scopes: readonly string[]
  /** `checked`: where a challenge was sent, so must the verifier. `refused`: a verifier is a wrong client. */
  /** Another scope that the same client may ask for, with a callback of another name. */
  also?: { scope: string; callback: string }
  pkce: 'required' | 'checked' | 'ignored' | 'refused'
  responseMode: 'query' | 'form_post'
  /** Parameters that the redirect carries besides code and state. */
  comesBackWith?: (issuer: string) => Readonly<Record<string, string>>
  denied: Readonly<Record<string, string>>
  wrongCode: Answer
  wrongClient: Answer
  tokenAnswer: (granted: Granted, idToken: IdToken) => unknown
  /** True if the API also accepts the token in the query. */
  tokenInQuery?: boolean
  /** What each API says about the person who granted the token, by host and path. */
  apis: Readonly<Record<string, (granted: Granted) => Answer>>
  suspended: Answer
  rateLimited: Answer
}
