import type { SendUi, TransactionRequest } from '@latchkey/protocol'

export type SendRequest = { readonly transaction: TransactionRequest; readonly ui?: SendUi }

export type Receipt = {
  readonly transactionHash: string
  /** Null while the chain has not confirmed it. */
  readonly status: 'success' | null
  readonly gasUsed: string | null
  readonly effectiveGasPrice: string | null
}
