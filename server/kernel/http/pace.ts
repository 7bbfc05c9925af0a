/**
 * How often an address may call: an office of three hundred people behind one address gets in, a flood does not.
 * What changes something, what only counts and what only reads have budgets of their own, so that none of them uses
 * up another.
 *
 * Room is taken from the database in portions, each in the statement that decides whether there is any, and spent
 * from memory. So no number of processes gives an address more than its limit, and few calls cost a statement.
 * What a process took and did not spend is lost when it ends, or when the window is over.
 */
import { type Budget, takePortion, tooManyRequests } from '../attempts/attempts.ts'
import type { ServerContext } from '../context.ts'
import { addressLimits } from '../limits.ts'
import { nowSeconds } from '../ports.ts'

const { windowSeconds, takenAtOnce, knownAddresses } = addressLimits
const budgets = {
  changes: { limit: addressLimits.changes, windowSeconds },
  counts: { limit: addressLimits.counts, windowSeconds },
  reads: { limit: addressLimits.reads, windowSeconds },
  pages: { limit: addressLimits.pages, windowSeconds },
  waits: { limit: addressLimits.waits, windowSeconds },
} as const satisfies Record<string, Budget>

export type Paced = keyof typeof budgets

/** Throws where the address has no room left. Where no address is known, nobody can be counted. */
export type Pace = (what: Paced, address: string | undefined) => Promise<void>

type Room = {
  /** How much is left of the portion that this process took. */
  left: number
  /** The window was full when it was last asked for more. */
  isFull: boolean
  endsAt: number
}

export function createPace({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Pace {
  const rooms = new Map<string, Room>()
  /** Calls that come together take one portion after the other, and no more than they spend. */
  const underWay = new Map<string, Promise<void>>()

  function openRoom(key: string): Room | undefined {
    const room = rooms.get(key)
    return room && room.endsAt > nowSeconds(clock) ? room : undefined
  }

  async function takeMore(what: Paced, key: string): Promise<void> {
    const now = nowSeconds(clock)
    const portion = await takePortion(db, { key, budget: budgets[what], nowSeconds: now }, takenAtOnce)
    const endsAt = portion.allowed ? portion.endsAt : now + portion.retryAfterSeconds
    rooms.delete(key)
    rooms.set(key, { left: portion.allowed ? takenAtOnce : 0, isFull: !portion.allowed, endsAt })
    if (rooms.size > knownAddresses) {
      const [longestKnown = ''] = rooms.keys()
      rooms.delete(longestKnown)
    }
  }

  return async (what, address) => {
    if (address === undefined) return
    const key = `address-${what}|${address}`
    for (;;) {
      const room = openRoom(key)
      if (room && room.left > 0) {
        room.left -= 1
        return
      }
      if (room?.isFull) throw tooManyRequests(room.endsAt - nowSeconds(clock))
      const taking = underWay.get(key) ?? takeMore(what, key).finally(() => underWay.delete(key))
      underWay.set(key, taking)
      await taking
    }
  }
}
