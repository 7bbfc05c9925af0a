/**
 * The nonces of the latest transactions that this tab sent, by chain and wallet. Nodes behind one URL learn of a
 * transaction at different times, and one that does not know it yet returns its nonce for the next transaction.
 */
import type { Clock } from '../../browser/ports.ts'

/** By then, all nodes know the transaction, or it was lost and its nonce is free again. */
const REMEMBERED_MS = 60_000

type Sender = { chainId: number; address: string }
export type Nonces = {
  /** Returns the lowest nonce that the next transaction may have. */
  least: (sender: Sender) => number
  sent: (sender: Sender, nonce: number) => void
}

export function createNonces({ nowMs }: Pick<Clock, 'nowMs'>): Nonces {
  const last = new Map<string, { nonce: number; atMs: number }>()
  const toKey = ({ chainId, address }: Sender) => `${chainId}:${address}`
  return {
    least(sender) {
      const latest = last.get(toKey(sender))
      return latest && nowMs() - latest.atMs < REMEMBERED_MS ? latest.nonce + 1 : 0
    },
    sent: (sender, nonce) => void last.set(toKey(sender), { nonce, atMs: nowMs() }),
  }
}
