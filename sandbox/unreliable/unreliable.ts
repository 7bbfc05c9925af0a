/** A third party that fails on demand and counts its requests. */

/**
 * `late` delays the response until another manner is set, `never` for ever. `twice` sends it twice on one
 * connection. `garbage` and `failure` are invalid responses.
 */
export const manners = ['right', 'late', 'twice', 'garbage', 'failure', 'never'] as const
export type Manner = (typeof manners)[number]

export type Unreliable = {
  manner: () => Manner
  behave: (manner: Manner) => void
  /** Counts a request under this id. Returns the total. */
  count: (id: string) => number
  asked: () => Readonly<Record<string, number>>
  total: () => number
  /** Resolves with the current manner, after `late` has ended. */
  waitForManner: () => Promise<Exclude<Manner, 'late'>>
  /** Resolves after more than this number of requests, or when the signal aborts. */
  waitForMoreThan: (asks: number, signal: AbortSignal) => Promise<void>
  reset: () => void
}

export const createUnreliable = (): Unreliable => {
  let manner: Manner = 'right'
  let countsById = new Map<string, number>()
  let total = 0
  const watching = new Set<() => void>()

  const notifyWatchers = () => {
    const woken = [...watching]
    watching.clear()
    for (const wake of woken) wake()
  }
  const nextChange = () => new Promise<void>((resolve) => watching.add(resolve))

  const behave: Unreliable['behave'] = (next) => {
    manner = next
    notifyWatchers()
  }

  return {
    manner: () => manner,
    behave,
    count: (id) => {
      countsById.set(id, (countsById.get(id) ?? 0) + 1)
      total += 1
      notifyWatchers()
      return total
    },
    asked: () => Object.fromEntries(countsById),
    total: () => total,
    waitForManner: async () => {
      for (;;) {
        if (manner !== 'late') return manner
        await nextChange()
      }
    },
    waitForMoreThan: async (asks, signal) => {
      const over = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      while (total <= asks && !signal.aborted) await Promise.race([nextChange(), over])
    },
    reset: () => {
      countsById = new Map()
      total = 0
      behave('right')
    },
  }
}
