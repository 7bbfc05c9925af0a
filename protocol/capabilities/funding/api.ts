/** Buying with a card at a provider, who sends what was bought to a wallet of the user. */
import * as v from 'valibot'
import { accentColor } from '../../entities/app-config.ts'
import { id, text } from '../../entities/primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'

/** The one provider that a page can name. */
export const fundProvider = 'moonpay'
export const fundingDisabledMessage = 'Fiat on-ramp is not enabled'
export const unsupportedFundProvider = (provider: string) => `Unsupported fund provider: ${provider}`

/** Where a config names none. */
export const defaultFundingCurrency = 'ETH_ETHEREUM'

/** The specification writes these as JavaScript does. */
const ownName = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(schema, keepsName<v.InferOutput<Schema>>())

/** A currency code names the coin and its network, such as `ETH_ETHEREUM`. */
const currencyCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,16}(_[A-Za-z0-9]{1,24})?$/))
const amount = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e12))
const theme = v.picklist(['light', 'dark'])

/** What a host may say of a payment. */
export const fundingConfigSchema = v.object({
  /** The user can choose no other. */
  currencyCode: v.exactOptional(ownName(currencyCode)),
  defaultCurrencyCode: v.exactOptional(ownName(currencyCode)),
  quoteCurrencyAmount: v.exactOptional(ownName(amount)),
  paymentMethod: v.exactOptional(ownName(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)))),
  uiConfig: v.exactOptional(
    ownName(v.object({ accentColor: v.exactOptional(ownName(accentColor)), theme: v.exactOptional(theme) })),
  ),
})
export type FundingConfig = v.InferOutput<typeof fundingConfigSchema>

/** The server is asked with `uiConfig` twice: as it is, and flattened. */
const signedConfig = v.object({
  ...fundingConfigSchema.entries,
  accentColor: v.exactOptional(ownName(accentColor)),
  theme: v.exactOptional(theme),
})
export type SignedFundingConfig = v.InferOutput<typeof signedConfig>

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
      'The signed address at which the user pays by card, for one wallet of theirs, and the name that the payment is known by. `not_supported` with `Fiat on-ramp is not enabled` where the app has it off, or the operator has no keys for it.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_supported',
      'linked_account_not_found',
      'too_many_requests',
    ],
  },
  fundingStatus: {
    summary: 'What the provider says of a payment of this user. `not_found` while it knows of none yet.',
    errors: ['must_be_authenticated', 'not_supported', 'not_found', 'unavailable'],
  },
}
