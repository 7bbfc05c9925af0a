/** The wallet that a user has in one app, used in another. */
import * as v from 'valibot'
import { appLimits } from '../limits/limits.ts'
import { product } from '../names/product.ts'
import { appId, text } from './primitives.ts'

/** The app whose users have the wallets, as a login method and as a provider of accounts. */
export type CrossAppProvider = `${typeof product.key}:${string}`
export const crossAppProvider = v.pipe(
  v.string(),
  v.regex(/* @__PURE__ */ new RegExp(`^${product.key}:[A-Za-z0-9]{${appLimits.appIdLength}}$`)),
) as unknown as v.GenericSchema<CrossAppProvider, CrossAppProvider>
export const isCrossAppProvider = (value: string): value is CrossAppProvider => v.is(crossAppProvider, value)
export const getProviderAppId = (provider: CrossAppProvider): string => provider.slice(product.key.length + 1)

/** What an app may ask for at the provider of a wallet. `openid` is always among them. */
export const crossAppScopes = ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'] as const
export type CrossAppScope = (typeof crossAppScopes)[number]

/** A provider whose wallets the users of an app may bring, as the operator registered it. */
export const crossAppConnectionSchema = v.object({
  providerAppId: appId,
  providerAppName: text,
  providerAppIconUrl: v.nullable(text),
  providerAppCustomApiUrl: v.nullable(text),
  /** Its wallets sign nothing here. */
  readOnly: v.boolean(),
  /** The issuer of its OpenID provider; `{issuer}/requests` takes what is to be signed. */
  issuer: text,
  tokenEndpoint: text,
})
export type CrossAppConnection = v.InferOutput<typeof crossAppConnectionSchema>
