/** The user's own wallet sends. */
import * as v from 'valibot'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import { sendUiSchema, transactionRequestSchema } from '../entities/wallets/wallet-request.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'

/** The data of a transaction is written as hex; its other fields and the words for it are short. */
const maxBytes = 2 * walletSizes.maxTransactionBytes

export const sendCalls = {
  sendTransaction: {
    policy: 'needs-user',
    input: v.object({
      transaction: transactionRequestSchema,
      ui: v.exactOptional(sendUiSchema),
      /** When the caller hears: libraries ask the chain themselves what became of it. */
      answerWhen: v.exactOptional(v.picklist(['sent', 'confirmed'])),
      /** Of a wallet of another app that the user has linked, whose provider sends it. */
      address: v.exactOptional(evmAddress),
    }),
    maxBytes,
  },
  signTransaction: {
    policy: 'needs-user',
    input: v.object({ transaction: transactionRequestSchema, ui: v.exactOptional(sendUiSchema) }),
    maxBytes,
  },
} as const satisfies HostCallRows

const hex = v.string() as v.GenericSchema<string, `0x${string}`>

/** Amounts are decimal. All but the hash is null for what was not waited for. */
export const transactionReceiptSchema = v.object({
  transactionHash: hex,
  status: v.nullable(v.literal('success')),
  gasUsed: v.nullable(v.string()),
  effectiveGasPrice: v.nullable(v.string()),
})

export const sendAnswers = {
  sendTransaction: v.object({ receipt: transactionReceiptSchema }),
  signTransaction: v.object({ signedTransaction: hex }),
} as const

export const sendDoc: HostCallDoc<typeof sendCalls> = {
  sendTransaction: {
    summary:
      'Shows what a transaction does and costs; signs and sends it after a visible, trusted click, and follows it until the chain has carried it out. With `address`, of a wallet of another app, its provider asks the user in a window and sends it; nothing but the hash is known then.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'unsupported_chain_id',
      'not_supported',
      'user_rejected_request',
      'approval_required_elsewhere',
      'insufficient_funds',
      'transaction_failure',
      'not_visible',
      'too_many_requests',
    ],
  },
  signTransaction: {
    summary: 'Likewise, and gives the signed transaction to the caller instead of sending it.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'unsupported_chain_id',
      'not_supported',
      'user_rejected_request',
      'approval_required_elsewhere',
      'transaction_failure',
      'not_visible',
      'too_many_requests',
    ],
  },
}
