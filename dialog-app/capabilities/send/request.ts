import type { SendUi, TransactionRequest } from '@latchkey/protocol'
import type { transactionReceiptSchema } from '@latchkey/protocol/host'
import type * as v from 'valibot'
import type { Relayed } from '../../host/host-calls.ts'

export type SendRequest = {
  readonly transaction: TransactionRequest
  readonly ui?: SendUi
  /** That the page has opened for it. */
  readonly window?: string | undefined
  readonly relayed?: Relayed | undefined
  /** When its caller hears. One that is signed for its caller is not sent. */
  readonly answerWhen?: 'signed' | 'sent' | 'confirmed'
}

export type Receipt = v.InferOutput<typeof transactionReceiptSchema>
export type Sent = { readonly receipt: Receipt; readonly signedTransaction: Receipt['transactionHash'] }
