/** What became of a batch, by what was sent and what the chain says of that. */
import { type BatchReceipt, type BatchStatus, batchStatuses } from '@latchkey/protocol/host'
import type { BatchEntry } from './stored-batches.ts'

/** `not-sent`: one before it failed, or its user did not want it. */
export type Outcome = 'waiting' | 'succeeded' | 'reverted' | 'not-sent'

export type Known = {
  entries: readonly Pick<BatchEntry, 'hash'>[]
  /** Each has the hash of its transaction as its key. A transaction that is in no block has none. */
  receipts: ReadonlyMap<string, BatchReceipt>
  /** This page is still at it. After a reload nobody is. */
  isRunning: boolean
}

export function outcomesOf({ entries, receipts, isRunning }: Known): readonly Outcome[] {
  return entries.map(({ hash }) => {
    if (hash === null) return isRunning ? 'waiting' : 'not-sent'
    const receipt = receipts.get(hash)
    if (!receipt) return 'waiting'
    return receipt.status === '0x1' ? 'succeeded' : 'reverted'
  })
}

export function statusOf(known: Known): BatchStatus {
  const outcomes = outcomesOf(known)
  if (outcomes.includes('waiting')) return batchStatuses.pending
  if (outcomes.every((outcome) => outcome === 'succeeded')) return batchStatuses.confirmed
  if (outcomes.includes('succeeded')) return batchStatuses.partly
  return outcomes.includes('reverted') ? batchStatuses.reverted : batchStatuses.notIncluded
}
