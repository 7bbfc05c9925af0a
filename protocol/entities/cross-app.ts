/** Wallets of one app that are used in another. */
import * as v from 'valibot'
import { appLimits } from '../limits/limits.ts'
import { product } from '../names/product.ts'

/** The provider app, as a login method and as a provider of accounts. */
export type CrossAppProvider = `${typeof product.key}:${string}`
export const crossAppProvider = v.pipe(
  v.string(),
  v.regex(/* @__PURE__ */ new RegExp(`^${product.key}:[A-Za-z0-9]{${appLimits.appIdLength}}$`)),
) as unknown as v.GenericSchema<CrossAppProvider, CrossAppProvider>
export const isCrossAppProvider = (value: string): value is CrossAppProvider => v.is(crossAppProvider, value)
export const getProviderAppId = (provider: CrossAppProvider): string => provider.slice(product.key.length + 1)
