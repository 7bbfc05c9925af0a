/**
 * Counts after the commit, because a transaction may run again or roll back:
 *
 *     afterCommit(trx, () => logins.add({ method, outcome: 'success' }))
 */
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

const waiting = new WeakMap<Trx, (() => void)[]>()

/** `trx` must be the handle that the transaction received, not one derived from it. */
export function afterCommit(trx: Trx, count: () => void): void {
  const counts = waiting.get(trx)
  if (counts) counts.push(count)
  else waiting.set(trx, [count])
}

/** Wraps `transaction` so that only the last attempt counts. Each attempt has its own handle. */
export const countAfterCommit =
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
