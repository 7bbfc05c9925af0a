import * as v from 'valibot'
import { product } from '../names/product.ts'
import { text } from './primitives.ts'

export const sessionUpdateActions = ['set', 'clear', 'ignore'] as const
export type SessionUpdateAction = (typeof sessionUpdateActions)[number]

const tokenScopes = ['dialog', 'host', 'wallet'] as const
/** `dialog` acts for the user; `host` only identifies the user; `wallet` is for one vault and one minute. */
export type TokenScope = (typeof tokenScopes)[number]

/** The header `typ` of a token of each scope. */
export const tokenTypes = {
  dialog: `${product.key}-dialog+jwt`,
  host: 'at+jwt',
  wallet: `${product.key}-wallet+jwt`,
} as const satisfies Record<TokenScope, string>

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
  /** The app id. Tokens of release 0.1.0 name the app in `aud` alone. */
  client_id: v.exactOptional(text),
  sid: text,
  scope: v.picklist(tokenScopes),
})
export type AccessTokenClaims = v.InferOutput<typeof accessTokenClaimsSchema>
