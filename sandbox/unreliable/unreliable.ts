/** A third party that answers as it is told to, and counts what it was asked. */

/**
 * `late` holds the answer back until it is told otherwise, `never` for ever; `twice` sends it twice on the same
 * connection; `garbage` and `failure` are wrong answers.
 */
export const manners = ['right', 'late', 'twice', 'garbage', 'failure', 'never'] as const
export type Manner = (typeof manners)[number]

export type Unreliable = {
  manner: () => Manner
  behave: (manner: Manner) => void
  /** Counts one more ask under this id, and says its number among all. */
  count: (id: string) => number
  asked: () => Readonly<Record<string, number>>
  total: () => number
  /** Resolves at once, or when the answer is no longer held back, with the manner that then holds. */
  passed: () => Promise<Exclude<Manner, 'late'>>
  /** Resolves when there were more asks than so many, or when the signal says that nobody waits any more. */
  moreThan: (asks: number, signal: AbortSignal) => Promise<void>
  reset: () => void
}

export const createUnreliable = (): Unreliable => {
  let manner: Manner = 'right'
  let asked = new Map<string, number>()
  let total = 0
  const watching = new Set<() => void>()

  const changed = () => {
    const woken = [...watching]
    watching.clear()
    for (const wake of woken) wake()
  }
  const change = () => new Promise<void>((resolve) => watching.add(resolve))

  const behave: Unreliable['behave'] = (next) => {
    manner = next
    changed()
  }

  return {
    manner: () => manner,
    behave,
    count: (id) => {
      asked.set(id, (asked.get(id) ?? 0) + 1)
      total += 1
      changed()
      return total
    },
    asked: () => Object.fromEntries(asked),
    total: () => total,
    passed: async () => {
      for (;;) {
        if (manner !== 'late') return manner
        await change()
      }
    },
    moreThan: async (asks, signal) => {
      const over = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      while (total <= asks && !signal.aborted) await Promise.race([change(), over])
    },
    reset: () => {
      asked = new Map()
      total = 0
      behave('right')
    },
  }
}
