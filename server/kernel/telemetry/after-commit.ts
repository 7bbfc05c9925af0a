/**
 * Counts, and starts background tasks, after the commit, because a transaction may run again or roll back:
 *
 *     afterCommit(trx, () => logins.add({ method, outcome: 'success' }))
 */
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

const waiting = new WeakMap<Trx, (() => void)[]>()

/** `trx` must be the handle that the transaction received, not one derived from it. */
export function afterCommit(trx: Trx, effect: () => void): void {
  const effects = waiting.get(trx)
  if (effects) effects.push(effect)
  else waiting.set(trx, [effect])
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
    if (last) for (const effect of waiting.get(last) ?? []) effect()
    return result
  }
