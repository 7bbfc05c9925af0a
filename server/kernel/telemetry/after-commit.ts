/**
 * A transaction may run again, and may be rolled back: what it counts is counted once it is committed.
 *
 *     afterCommit(trx, () => logins.add({ method, outcome: 'success' }))
 */
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'
import { isCounting } from './instruments.ts'

const waiting = new WeakMap<Trx, (() => void)[]>()

/** `trx` is the handle that the transaction got, and none that was made from it. */
export function afterCommit(trx: Trx, count: () => void): void {
  if (!isCounting()) return
  const counts = waiting.get(trx)
  if (counts) counts.push(count)
  else waiting.set(trx, [count])
}

/** Each try has a handle of its own, so of several the last one counts. */
export const countingCommits =
  (transaction: ServerContext['transaction']): ServerContext['transaction'] =>
  async (work) => {
    let last: Trx | undefined
    const result = await transaction((trx) => {
      last = trx
      return work(trx)
    })
    if (last) for (const count of waiting.get(last) ?? []) count()
    return result
  }
