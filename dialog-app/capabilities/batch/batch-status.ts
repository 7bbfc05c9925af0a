/** The status of a batch, from its sent transactions and their receipts. */
import type { SponsoredOperation } from '@latchkey/protocol/api'
import { type BatchReceipt, type BatchStatus, batchStatuses } from '@latchkey/protocol/host'
import type { BatchEntry } from './stored-batches.ts'

/** `not-sent`: an earlier call failed, or the user rejected it. */
export type Outcome = 'waiting' | 'succeeded' | 'reverted' | 'not-sent'

export type Known = {
  entries: readonly Pick<BatchEntry, 'hash'>[]
  /** By transaction hash. A pending transaction has no receipt. */
  receipts: ReadonlyMap<string, BatchReceipt>
  /** This page is still sending the batch. A reload ends that. */
  isRunning: boolean
}

export function getOutcomes({ entries, receipts, isRunning }: Known): readonly Outcome[] {
  return entries.map(({ hash }) => {
    if (hash === null) return isRunning ? 'waiting' : 'not-sent'
    const receipt = receipts.get(hash)
    if (!receipt) return 'waiting'
    return receipt.status === '0x1' ? 'succeeded' : 'reverted'
  })
}

export function getStatus(known: Known): BatchStatus {
  const outcomes = getOutcomes(known)
  if (outcomes.includes('waiting')) return batchStatuses.pending
  if (outcomes.every((outcome) => outcome === 'succeeded')) return batchStatuses.confirmed
  if (outcomes.includes('succeeded')) return batchStatuses.partly
  return outcomes.includes('reverted') ? batchStatuses.reverted : batchStatuses.notIncluded
}

type SponsoredState = SponsoredOperation['state']

/** The outcome of every call of an operation. */
export const operationOutcomes: { [state in SponsoredState]: Outcome } = {
  pending: 'waiting',
  succeeded: 'succeeded',
  reverted: 'reverted',
  dropped: 'not-sent',
}

export const operationStatuses: { [state in SponsoredState]: BatchStatus } = {
  pending: batchStatuses.pending,
  succeeded: batchStatuses.confirmed,
  reverted: batchStatuses.reverted,
  dropped: batchStatuses.notIncluded,
}
