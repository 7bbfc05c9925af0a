/**
 * Lets a transaction depend on an answer from outside. A transaction must not wait for a third party, because it holds
 * locks and a connection. So it rolls back, the answer is awaited, and the transaction runs again with the answer:
 *
 *     const decision = requireAnswer(trx, key, () => askHook(question))
 */
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

/** The answers to the questions of a transaction, by key. */
const storedAnswers = new WeakMap<Trx, ReadonlyMap<string, unknown>>()

/** Rolls back a transaction that needs another answer. */
class AnswerMissing extends Error {
  override name = 'AnswerMissing'
  key: string
  ask: () => Promise<unknown>
  constructor(key: string, ask: () => Promise<unknown>) {
    super('The transaction needs an answer from outside')
    this.key = key
    this.ask = ask
  }
}

/**
 * Returns the answer, or throws to obtain it. `trx` must be the handle that the transaction received, not one derived
 * from it. `ask` must have a deadline, and must not fail.
 */
export function requireAnswer<Answer>(trx: Trx, key: string, ask: () => Promise<Answer>): Answer {
  const answers = storedAnswers.get(trx)
  if (answers?.has(key)) return answers.get(key) as Answer
  throw new AnswerMissing(key, ask)
}

/** Wraps `transaction` so that its work may call `requireAnswer`. */
export const withOutsideAnswers =
  (transaction: ServerContext['transaction']): ServerContext['transaction'] =>
  async (work) => {
    const answers = new Map<string, unknown>()
    for (;;) {
      try {
        return await transaction((trx) => {
          storedAnswers.set(trx, answers)
          return work(trx)
        })
      } catch (error) {
        // Each key is asked once, so a transaction with few questions ends.
        if (!(error instanceof AnswerMissing) || answers.has(error.key)) throw error
        answers.set(error.key, await error.ask())
      }
    }
  }
