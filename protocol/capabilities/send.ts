/** Transactions of the user's embedded wallet. */
import * as v from 'valibot'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import { sendUiSchema, transactionRequestSchema } from '../entities/wallets/wallet-request.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'

/** Transaction data is hex, two characters per byte. Other fields are short. */
const maxBytes = 2 * walletSizes.maxTransactionBytes

export const sendCalls = {
  sendTransaction: {
    policy: 'needs-user',
    input: v.object({
      transaction: transactionRequestSchema,
      ui: v.exactOptional(sendUiSchema),
      /** When the call resolves. Libraries poll the chain themselves. */
      answerWhen: v.exactOptional(v.picklist(['sent', 'confirmed'])),
      /** The address of a linked wallet of another app. Its provider sends the transaction. */
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

/** Amounts are decimal strings. Fields other than the hash are null if the call did not wait for the receipt. */
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
      "Shows the effects and cost of a transaction, signs and sends it after a visible, trusted click, and waits until the chain includes it. With the `address` of a wallet of another app, the wallet's provider asks the user in a window and sends it; only the hash is returned.",
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
    summary: 'Like `sendTransaction`, but returns the signed transaction instead of sending it.',
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
