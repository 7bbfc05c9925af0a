import * as v from 'valibot'
import { text } from './primitives.ts'

export const sessionUpdateActions = ['set', 'clear', 'ignore'] as const
export type SessionUpdateAction = (typeof sessionUpdateActions)[number]

const tokenScopes = ['dialog', 'host', 'wallet'] as const
/** `dialog` acts for the user; `host` only identifies the user; `wallet` is for one vault and one minute. */
export type TokenScope = (typeof tokenScopes)[number]

export const oauthTokensSchema = v.object({
  provider: text,
  accessToken: text,
  accessTokenExpiresInSeconds: v.exactOptional(v.nullable(v.number())),
  refreshToken: v.exactOptional(v.nullable(text)),
  refreshTokenExpiresInSeconds: v.exactOptional(v.nullable(v.number())),
  scopes: v.exactOptional(v.nullable(v.array(text))),
})
export type OAuthTokens = v.InferOutput<typeof oauthTokensSchema>

/** A session as the browser stores it. */
export const sessionSchema = v.object({
  accessToken: v.nullable(text),
  refreshToken: v.nullable(text),
  forkedToken: v.nullable(text),
  /** Access tokens of cross-app providers, by provider app id. */
  providerAccessTokens: v.record(v.string(), text),
})
export type Session = v.InferOutput<typeof sessionSchema>

export const accessTokenClaimsSchema = v.object({
  sub: text,
  exp: v.number(),
  iat: v.number(),
  iss: text,
  aud: text,
  sid: text,
  scope: v.picklist(tokenScopes),
})
export type AccessTokenClaims = v.InferOutput<typeof accessTokenClaimsSchema>
