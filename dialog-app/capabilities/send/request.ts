import type { SendUi, TransactionRequest } from '@latchkey/protocol'
import type { transactionReceiptSchema } from '@latchkey/protocol/host'
import type * as v from 'valibot'

export type SendRequest = { readonly transaction: TransactionRequest; readonly ui?: SendUi }

export type Receipt = v.InferOutput<typeof transactionReceiptSchema>
