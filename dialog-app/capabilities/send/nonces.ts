/**
 * The numbers of the transactions that this tab sent last, by chain and wallet. Nodes behind one address do not learn of
 * a transaction at once: one that has not heard of it would give its number to the next.
 */
import type { Clock } from '../../browser/ports.ts'

/** By then a node has heard of it, or it was lost, and its number is free again. */
const REMEMBERED_MS = 60_000

type Of = { chainId: number; address: string }
export type Nonces = {
  /** The least number that the next one may have, as far as this tab knows. */
  least: (of: Of) => number
  sent: (of: Of, nonce: number) => void
}

export function createNonces({ nowMs }: Pick<Clock, 'nowMs'>): Nonces {
  const last = new Map<string, { nonce: number; atMs: number }>()
  const keyOf = ({ chainId, address }: Of) => `${chainId}:${address}`
  return {
    least(of) {
      const known = last.get(keyOf(of))
      return known && nowMs() - known.atMs < REMEMBERED_MS ? known.nonce + 1 : 0
    },
    sent: (of, nonce) => void last.set(keyOf(of), { nonce, atMs: nowMs() }),
  }
}
