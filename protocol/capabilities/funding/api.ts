/** Buying with a card at a provider, who sends what was bought to a wallet of the user. */
import * as v from 'valibot'
import { accentColor } from '../../entities/app-config.ts'
import { id, text } from '../../entities/primitives.ts'
import { walletAddress } from '../../entities/wallet-address.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes } from '../../rows/route.ts'

/** The one provider that a page can name. */
export const fundProvider = 'moonpay'
export const fundingIsOff = 'Fiat on-ramp is not enabled'
export const unsupportedFundProvider = (provider: string) => `Unsupported fund provider: ${provider}`

/** Where a config names none. */
export const defaultFundingCurrency = 'ETH_ETHEREUM'

/** The specification writes these as JavaScript does. */
const kept = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(schema, keepsName<v.InferOutput<Schema>>())

/** As `ETH_ETHEREUM`: the coin, and the network that it is on. */
const currencyCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,16}(_[A-Za-z0-9]{1,24})?$/))
const amount = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e12))
const theme = v.picklist(['light', 'dark'])

/** What a host may say of a payment. */
export const fundingConfigSchema = v.object({
  /** The user can choose no other. */
  currencyCode: v.exactOptional(kept(currencyCode)),
  defaultCurrencyCode: v.exactOptional(kept(currencyCode)),
  quoteCurrencyAmount: v.exactOptional(kept(amount)),
  paymentMethod: v.exactOptional(kept(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)))),
  uiConfig: v.exactOptional(
    kept(v.object({ accentColor: v.exactOptional(kept(accentColor)), theme: v.exactOptional(theme) })),
  ),
})
export type FundingConfig = v.InferOutput<typeof fundingConfigSchema>

/** As the server is asked: `uiConfig` is there twice, as it is and flattened. */
const askedConfig = v.object({
  ...fundingConfigSchema.entries,
  accentColor: v.exactOptional(kept(accentColor)),
  theme: v.exactOptional(theme),
})
export type AskedFundingConfig = v.InferOutput<typeof askedConfig>

/** `awaitingAuthorization` is `waitingAuthorization` in another spelling. A browser that gets no answer says `serviceFailure`. */
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
/** What a provider says of a payment. */
export const onRampTransaction = v.object({
  status: v.picklist(fundingStatuses),
  paymentMethod: kept(word),
  cardPaymentType: kept(word),
  currency: v.exactOptional(v.object({ code: text })),
  baseCurrencyAmount: kept(number),
  quoteCurrencyAmount: kept(number),
  feeAmount: kept(number),
  extraFeeAmount: kept(number),
  networkFeeAmount: kept(number),
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
    body: v.object({ address: walletAddress, useSandbox: kept(v.boolean()), config: askedConfig }),
    output: v.object({ signedUrl: kept(text), externalTransactionId: kept(id) }),
  },
  fundingStatus: {
    method: 'GET',
    path: '/plugins/moonpay_on_ramp/transaction',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    query: v.object({ externalTransactionId: kept(id) }),
    output: onRampTransaction,
  },
} as const satisfies Routes
