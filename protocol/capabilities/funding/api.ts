/** Card payments at a provider, which sends the purchased coins to a wallet of the user. */
import * as v from 'valibot'
import { accentColor } from '../../entities/app-config.ts'
import { id, text } from '../../entities/primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'

/** The only supported provider. */
export const fundProvider = 'moonpay'
export const fundingDisabledMessage = 'Fiat on-ramp is not enabled'
export const unsupportedFundProvider = (provider: string) => `Unsupported fund provider: ${provider}`

/** The currency if the config has none. */
export const defaultFundingCurrency = 'ETH_ETHEREUM'

/** The specification names these fields in camelCase on the wire. */
const ownName = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(schema, keepsName<v.InferOutput<Schema>>())

/** A currency code names the coin and its network, such as `ETH_ETHEREUM`. */
const currencyCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,16}(_[A-Za-z0-9]{1,24})?$/))
const amount = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e12))
const theme = v.picklist(['light', 'dark'])

/** Payment settings of a host page. */
export const fundingConfigSchema = v.object({
  /** The user cannot choose another currency. */
  currencyCode: v.exactOptional(ownName(currencyCode)),
  defaultCurrencyCode: v.exactOptional(ownName(currencyCode)),
  quoteCurrencyAmount: v.exactOptional(ownName(amount)),
  paymentMethod: v.exactOptional(ownName(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)))),
  uiConfig: v.exactOptional(
    ownName(v.object({ accentColor: v.exactOptional(ownName(accentColor)), theme: v.exactOptional(theme) })),
  ),
})
export type FundingConfig = v.InferOutput<typeof fundingConfigSchema>

/** The config to sign. It contains `uiConfig` twice: nested and flattened. */
const signedConfig = v.object({
  ...fundingConfigSchema.entries,
  accentColor: v.exactOptional(ownName(accentColor)),
  theme: v.exactOptional(theme),
})
export type SignedFundingConfig = v.InferOutput<typeof signedConfig>

/**
 * `awaitingAuthorization` is another spelling of `waitingAuthorization`. The browser sets `serviceFailure` if the
 * service does not respond.
 */
export const fundingStatuses = [
  'completed',
  'failed',
  'serviceFailure',
  'waitingAuthorization',
  'awaitingAuthorization',
  'pending',
] as const

const number = v.exactOptional(v.nullable(v.number()))
const word = v.exactOptional(v.nullable(text))
/** A payment as its provider reports it. */
export const onRampTransaction = v.object({
  status: v.picklist(fundingStatuses),
  paymentMethod: ownName(word),
  cardPaymentType: ownName(word),
  currency: v.exactOptional(v.object({ code: text })),
  baseCurrencyAmount: ownName(number),
  quoteCurrencyAmount: ownName(number),
  feeAmount: ownName(number),
  extraFeeAmount: ownName(number),
  networkFeeAmount: ownName(number),
})
export type OnRampTransaction = v.InferOutput<typeof onRampTransaction>

export const fundingRoutes = {
  signFunding: {
    method: 'POST',
    path: '/plugins/moonpay_on_ramp/sign',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ address: walletAddress, useSandbox: ownName(v.boolean()), config: signedConfig }),
    output: v.object({ signedUrl: ownName(text), externalTransactionId: ownName(id) }),
  },
  fundingStatus: {
    method: 'GET',
    path: '/plugins/moonpay_on_ramp/transaction',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    query: v.object({ externalTransactionId: ownName(id) }),
    output: onRampTransaction,
  },
} as const satisfies Routes

export const fundingDoc: RoutesDoc<typeof fundingRoutes> = {
  signFunding: {
    summary:
      'Returns the signed payment URL for one wallet of the user, and the id of the payment. `not_supported` with `Fiat on-ramp is not enabled` if the app disabled it or the operator has no keys for it.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_supported',
      'linked_account_not_found',
      'too_many_requests',
    ],
  },
  fundingStatus: {
    summary:
      'Returns a payment of this user as its provider reports it. `not_found` until the provider knows the payment.',
    errors: ['must_be_authenticated', 'not_supported', 'not_found', 'unavailable'],
  },
}
