/**
 * Rate limits per client address. They admit an office of three hundred people behind one address, but not a flood.
 * Changes, counts, reads, pages and waits have separate quotas, so that none exhausts another.
 *
 * A process consumes the quota from the database in portions and spends them from memory. The limit therefore holds
 * across all processes, and few calls need a statement. Unspent portions are lost when the process or the window ends.
 */
import { consumePortion, type Quota, tooManyRequests } from '../attempts/attempts.ts'
import type { ServerContext } from '../context.ts'
import { addressLimits } from '../limits.ts'
import { nowSeconds } from '../ports.ts'

const { windowSeconds, portionSize, cachedAddresses } = addressLimits
const quotas = {
  changes: { limit: addressLimits.changes, windowSeconds },
  counts: { limit: addressLimits.counts, windowSeconds },
  reads: { limit: addressLimits.reads, windowSeconds },
  pages: { limit: addressLimits.pages, windowSeconds },
  waits: { limit: addressLimits.waits, windowSeconds },
} as const satisfies Record<string, Quota>

export type RateLimitKind = keyof typeof quotas

/** Throws if the quota of the address is exhausted. Does nothing if the address is unknown. */
export type RateLimit = (what: RateLimitKind, address: string | undefined) => Promise<void>

type Portion = {
  /** Calls left in the portion of this process. */
  left: number
  /** Whether the quota was exhausted at the last attempt. */
  isFull: boolean
  endsAt: number
}

export function createRateLimit({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): RateLimit {
  const portions = new Map<string, Portion>()
  /** Concurrent calls share one pending portion, so that they take no more than they spend. */
  const pendingPortions = new Map<string, Promise<void>>()

  function findPortion(key: string): Portion | undefined {
    const portion = portions.get(key)
    return portion && portion.endsAt > nowSeconds(clock) ? portion : undefined
  }

  async function consumeMore(what: RateLimitKind, key: string): Promise<void> {
    const now = nowSeconds(clock)
    const portion = await consumePortion(db, { key, quota: quotas[what], nowSeconds: now }, portionSize)
    const endsAt = portion.allowed ? portion.endsAt : now + portion.retryAfterSeconds
    portions.delete(key)
    portions.set(key, { left: portion.allowed ? portionSize : 0, isFull: !portion.allowed, endsAt })
    if (portions.size > cachedAddresses) {
      const [longestKnown = ''] = portions.keys()
      portions.delete(longestKnown)
    }
  }

  return async (what, address) => {
    if (address === undefined) return
    const key = `address-${what}|${address}`
    for (;;) {
      const portion = findPortion(key)
      if (portion && portion.left > 0) {
        portion.left -= 1
        return
      }
      if (portion?.isFull) throw tooManyRequests(portion.endsAt - nowSeconds(clock))
      const taking =
        pendingPortions.get(key) ?? consumeMore(what, key).finally(() => pendingPortions.delete(key))
      pendingPortions.set(key, taking)
      await taking
    }
  }
}
