/** Wallets of one app that are used in another. */
import * as v from 'valibot'
import { appLimits } from '../limits/limits.ts'
import { product } from '../names/product.ts'
import { appId, text } from './primitives.ts'

/** The provider app, as a login method and as a provider of accounts. */
export type CrossAppProvider = `${typeof product.key}:${string}`
export const crossAppProvider = v.pipe(
  v.string(),
  v.regex(/* @__PURE__ */ new RegExp(`^${product.key}:[A-Za-z0-9]{${appLimits.appIdLength}}$`)),
) as unknown as v.GenericSchema<CrossAppProvider, CrossAppProvider>
export const isCrossAppProvider = (value: string): value is CrossAppProvider => v.is(crossAppProvider, value)
export const getProviderAppId = (provider: CrossAppProvider): string => provider.slice(product.key.length + 1)

/** Scopes at a wallet provider. `openid` is always included. */
export const crossAppScopes = ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'] as const
export type CrossAppScope = (typeof crossAppScopes)[number]

/** A registered provider. Users of the app may link its wallets. */
export const crossAppConnectionSchema = v.object({
  providerAppId: appId,
  providerAppName: text,
  providerAppIconUrl: v.nullable(text),
  providerAppCustomApiUrl: v.nullable(text),
  /** Whether its wallets cannot sign in this app. */
  readOnly: v.boolean(),
  /** The issuer of its OpenID provider. `{issuer}/requests` accepts signature requests. */
  issuer: text,
  tokenEndpoint: text,
})
export type CrossAppConnection = v.InferOutput<typeof crossAppConnectionSchema>
