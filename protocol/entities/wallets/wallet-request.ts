import * as v from 'valibot'
import { pictureLimits } from '../../limits/limits.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import { isImageAddress } from '../app-config.ts'
import { evmAddress, hex } from './chain-primitives.ts'

/** One that is undefined is one that a page has not given. */
const option = v.optional

const WORD_HEX = 2 + 64
/** Hosts write amounts as a number that is whole, a bigint, or hex. */
export const quantity = v.union(
  [
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    v.pipe(v.bigint(), v.minValue(0n)),
    v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]+$/), v.maxLength(WORD_HEX)),
  ],
  'must be a whole number, a bigint or a hex text',
)
export const chainNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** What is not named here is refused: a transaction is not sent without a part of it. */
export const transactionRequestSchema = v.strictObject({
  /** A receiver that came out as undefined is more likely a slip than a contract to be made. */
  to: v.exactOptional(evmAddress),
  from: option(evmAddress),
  data: option(v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes))),
  value: option(quantity),
  chainId: option(chainNumber),
  nonce: option(quantity),
  gasLimit: option(quantity),
  gasPrice: option(quantity),
  maxFeePerGas: option(quantity),
  maxPriorityFeePerGas: option(quantity),
})
export type TransactionRequest = v.InferOutput<typeof transactionRequestSchema>

/** Texts that a host may put on the screens of a transaction. */
export const sendUiSchema = v.object({
  header: option(v.pipe(v.string(), v.maxLength(120))),
  description: option(v.pipe(v.string(), v.maxLength(500))),
  buttonText: option(v.pipe(v.string(), v.maxLength(60))),
  /** What the host says of the transaction. It stands beside what is read from the transaction, never in its place. */
  transactionInfo: option(
    v.object({
      title: option(v.pipe(v.string(), v.maxLength(120))),
      action: option(v.pipe(v.string(), v.maxLength(500))),
    }),
  ),
  successHeader: option(v.pipe(v.string(), v.maxLength(120))),
  successDescription: option(v.pipe(v.string(), v.maxLength(500))),
})
export type SendUi = v.InferOutput<typeof sendUiSchema>

/** Texts that a host may put on the sign screen. */
export const signUiSchema = v.object({
  title: option(v.pipe(v.string(), v.maxLength(120))),
  description: option(v.pipe(v.string(), v.maxLength(500))),
  buttonText: option(v.pipe(v.string(), v.maxLength(60))),
  iconUrl: option(v.pipe(v.string(), v.maxLength(pictureLimits.maxAddressLength), v.check(isImageAddress))),
})
export type SignUi = v.InferOutput<typeof signUiSchema>

export const messageToSignSchema = v.pipe(
  v.string(),
  v.nonEmpty('Message must be a non-empty string'),
  v.check(
    (message) => new TextEncoder().encode(message).length <= walletSizes.maxMessageBytes,
    'Message is too long to sign',
  ),
  // A lone surrogate has no UTF-8 form: another text than the one shown would be signed.
  v.check((message) => message.isWellFormed(), 'Message is not well-formed text'),
)
