/**
 * Call batches (EIP-5792, version 2.0.0). A batch is atomic on chains where the operator pays for it. On others, each
 * call is a transaction with its own approval, and a failed call ends the batch.
 * https://eips.ethereum.org/EIPS/eip-5792
 */
import * as v from 'valibot'
import { evmAddress, hex } from '../entities/wallets/chain-primitives.ts'
import { quantity } from '../entities/wallets/wallet-request.ts'
import { channelLimits } from '../limits/limits.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'

export const batchLimits = {
  maxCalls: 20,
  /** Maximum id length of the standard, in bytes. */
  maxIdLength: 4_096,
  /** How long the status of a batch is available. */
  keptSeconds: 24 * 60 * 60,
  /** Maximum batches of one tab. The oldest is dropped first. */
  maxKept: 20,
} as const

export const batchVersion = '2.0.0'

/** Error codes of EIP-5792. */
export const batchRefusals = {
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownId: 5730,
  tooLarge: 5740,
  upgradeRejected: 5750,
  atomicityNotSupported: 5760,
} as const

/** Status codes of EIP-5792. */
export const batchStatuses = {
  pending: 100,
  confirmed: 200,
  notIncluded: 400,
  reverted: 500,
  partly: 600,
} as const
export type BatchStatus = (typeof batchStatuses)[keyof typeof batchStatuses]

const option = v.exactOptional
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(batchLimits.maxIdLength))
/** Unknown capabilities are ignored if the caller marks them as optional. */
const capabilities = option(v.record(v.string(), v.looseObject({ optional: option(v.boolean()) })))

/** Unknown fields are rejected, because ignoring one would send a different call. */
const call = v.strictObject({
  to: option(evmAddress),
  data: option(v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes))),
  value: option(quantity),
  capabilities,
})

/** The parameter of `wallet_sendCalls`. */
export const batchRequest = v.strictObject({
  version: v.literal(batchVersion),
  id: option(id),
  from: option(evmAddress),
  chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{1,13}$/, 'Not the number of a chain in hex')),
  atomicRequired: v.boolean(),
  calls: v.pipe(v.array(call), v.minLength(1)),
  capabilities,
})
export type BatchRequest = v.InferOutput<typeof batchRequest>
export const batchId = id

const maxBytes = channelLimits.maxTypedDataBytes

export const batchCalls = {
  sendBatch: {
    policy: 'needs-user',
    input: v.object({ request: batchRequest }),
    maxBytes,
  },
  batchStatus: { policy: 'headless', input: v.object({ id }) },
  showBatch: { policy: 'needs-user', input: v.object({ id }) },
} as const satisfies HostCallRows

const refused = v.object({ refused: v.object({ code: v.number(), message: v.string() }) })
const text = v.string()

/** A transaction receipt as RPC nodes return it. */
export const batchReceiptSchema = v.object({
  logs: v.array(v.object({ address: text, data: text, topics: v.array(text) })),
  status: v.picklist(['0x0', '0x1']),
  blockHash: text,
  blockNumber: text,
  gasUsed: text,
  transactionHash: text,
})
export type BatchReceipt = v.InferOutput<typeof batchReceiptSchema>

export const batchAnswers = {
  sendBatch: v.union([refused, v.object({ result: v.object({ id: text }) })]),
  batchStatus: v.union([
    refused,
    v.object({
      result: v.object({
        version: text,
        id: text,
        chainId: text,
        status: v.number(),
        atomic: v.boolean(),
        receipts: v.exactOptional(v.array(batchReceiptSchema)),
      }),
    }),
  ]),
  showBatch: v.union([refused, v.object({ result: v.null() })]),
} as const

const errors = ['must_be_authenticated', 'embedded_wallet_not_found', 'invalid_data'] as const

export const batchDoc: HostCallDoc<typeof batchCalls> = {
  sendBatch: {
    summary:
      'On a chain where the operator pays, shows the calls and sends them as one operation: all of them happen, or none. Otherwise lists the calls and their total, and resolves when the user agrees to start. Each call is then shown, approved and sent like `sendTransaction`, after the previous one has succeeded.',
    errors: [
      ...errors,
      'user_rejected_request',
      'approval_required_elsewhere',
      'transaction_failure',
      'unable_to_sign',
      'server_unreachable',
      'not_visible',
      'too_many_requests',
    ],
  },
  batchStatus: {
    summary: 'Returns the status of a batch of this tab, for one day.',
    errors: [...errors, 'server_unreachable'],
  },
  showBatch: {
    summary: 'Shows the user the status of each call.',
    errors: [...errors, 'server_unreachable', 'not_visible', 'too_many_requests'],
  },
}
