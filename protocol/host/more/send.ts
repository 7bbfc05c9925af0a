/** The user's own wallet sends. */
import * as v from 'valibot'
import { sendUiSchema, transactionRequestSchema } from '../../entities/wallet-request.ts'
import { walletSizes } from '../../wallet.sizes.ts'
import type { MoreRows } from './row.ts'

export const sendCalls = {
  sendTransaction: {
    policy: 'needs-user',
    input: v.object({ transaction: transactionRequestSchema, ui: v.exactOptional(sendUiSchema) }),
    // The data of a transaction is written as hex; its other fields and the words for it are short.
    maxBytes: 2 * walletSizes.maxTransactionBytes,
  },
} as const satisfies MoreRows

/** Amounts are decimal. All but the hash is null for what was not waited for. */
export const transactionReceiptSchema = v.object({
  transactionHash: v.string() as v.GenericSchema<string, `0x${string}`>,
  status: v.nullable(v.literal('success')),
  gasUsed: v.nullable(v.string()),
  effectiveGasPrice: v.nullable(v.string()),
})

export const sendAnswers = { sendTransaction: v.object({ receipt: transactionReceiptSchema }) } as const
