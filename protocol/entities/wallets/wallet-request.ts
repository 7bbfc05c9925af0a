import * as v from 'valibot'
import { pictureLimits } from '../../limits/limits.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import { isImageAddress } from '../app-config.ts'
import { evmAddress, hex } from './chain-primitives.ts'

/** Treats an undefined field as omitted. */
const option = v.optional

const WORD_HEX = 2 + 64
/** An amount from a host: a whole number, a bigint or hex. */
export const quantity = v.union(
  [
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    v.pipe(v.bigint(), v.minValue(0n)),
    v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]+$/), v.maxLength(WORD_HEX)),
  ],
  'must be a whole number, a bigint or a hex text',
)
export const chainNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Unknown fields are rejected, because ignoring one would send a different transaction. */
export const transactionRequestSchema = v.strictObject({
  /** Must not be undefined: that is more likely a bug than a contract creation. */
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

/** Host texts for the transaction screens. */
export const sendUiSchema = v.object({
  header: option(v.pipe(v.string(), v.maxLength(120))),
  description: option(v.pipe(v.string(), v.maxLength(500))),
  buttonText: option(v.pipe(v.string(), v.maxLength(60))),
  /** The host's description of the transaction, shown next to the decoded effects, never instead of them. */
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

/** Host texts for the sign screen. */
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
  // A lone surrogate has no UTF-8 encoding, so the signed text would differ from the shown one.
  v.check((message) => message.isWellFormed(), 'Message is not well-formed text'),
)
