import * as v from 'valibot'
import { walletLimits } from '../limits.ts'
import { evmAddress, hex, text } from './primitives.ts'

const quantity = v.union([v.number(), v.bigint(), v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]+$/))])
const option = v.exactOptional

/** Texts that a host may put on the sign screen. */
export const signUiSchema = v.object({
  title: option(v.pipe(v.string(), v.maxLength(120))),
  description: option(v.pipe(v.string(), v.maxLength(500))),
  buttonText: option(v.pipe(v.string(), v.maxLength(60))),
  iconUrl: option(v.pipe(text, v.startsWith('https://'))),
})
export type SignUi = v.InferOutput<typeof signUiSchema>

export const messageToSign = v.pipe(
  v.string(),
  v.nonEmpty('Message must be a non-empty string'),
  v.check(
    (message) => new TextEncoder().encode(message).length <= walletLimits.maxMessageBytes,
    'Message is too long to sign',
  ),
  // A lone surrogate has no UTF-8 form: another text than the one shown would be signed.
  v.check((message) => message.isWellFormed(), 'Message is not well-formed text'),
)

export const signRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), data: messageToSign, ui: option(signUiSchema) }),
  v.object({
    method: v.literal('eth_signTypedData_v4'),
    data: v.record(v.string(), v.unknown()),
    ui: option(signUiSchema),
  }),
])
export type SignRequest = v.InferOutput<typeof signRequestSchema>

export const transactionRequestSchema = v.object({
  to: option(evmAddress),
  from: option(evmAddress),
  data: option(hex),
  value: option(quantity),
  chainId: option(v.number()),
  nonce: option(v.number()),
  gasLimit: option(quantity),
  gasPrice: option(quantity),
  maxFeePerGas: option(quantity),
  maxPriorityFeePerGas: option(quantity),
})
export type TransactionRequest = v.InferOutput<typeof transactionRequestSchema>

export const transactionReceiptSchema = v.object({
  transactionHash: hex,
  status: v.picklist(['success', 'reverted']),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
})
export type TransactionReceipt = v.InferOutput<typeof transactionReceiptSchema>
