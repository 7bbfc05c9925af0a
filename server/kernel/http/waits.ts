/**
 * Calls that wait for what another call brings: the result of a window, an approval on a phone. Each is held open for
 * seconds, so it counts by its wait and not only by its call, and an address holds only so many.
 *
 * One call is enough for whoever waits. A second one under the same key ends the first, which answers what there is:
 * the browser that sent it again does not listen to it any more.
 *
 * All calls of a process look at the same moments, so that what they look for is read together (`db/gathered.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from '../attempts/attempts.ts'
import { waitingLimits } from '../limits.ts'
import type { Pace } from './pace.ts'

export type Wait = {
  /** What `look` finds, at once or within the time; undefined where it found nothing or the call was ended. */
  until: <Value>(
    key: string,
    waitMs: number,
    look: () => Promise<Value | undefined>,
  ) => Promise<Value | undefined>
  /** The same bounds for a wait for somebody outside; undefined where the call was ended. */
  hold: <Value>(
    key: string,
    run: (signal: AbortSignal) => Promise<Value | undefined>,
  ) => Promise<Value | undefined>
}

/** Makes the `Wait` of a call from this address. `gone` is aborted when its browser no longer listens. */
export type Waits = (address: string | undefined, gone?: AbortSignal) => Wait

/** Ends early, without a failure, where the signal says so. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>
const realPause: Pause = (ms, signal) => sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => {})

type Held = { end: () => void; signal: AbortSignal }

export function createWaits(pace: Pace, pause: Pause = realPause): Waits {
  const held = new Map<string, Held>()
  const heldBy = new Map<string, number>()
  let nextLook: Promise<void> | undefined

  const lookMoment = () => {
    nextLook ??= pause(waitingLimits.lookEveryMs).then(() => {
      nextLook = undefined
    })
    return nextLook
  }

  function open(address: string | undefined, key: string): Held {
    held.get(key)?.end()
    if (address !== undefined && (heldBy.get(address) ?? 0) >= waitingLimits.openPerAddress) {
      throw tooManyRequests(waitingLimits.retryAfterSeconds)
    }
    const ending = new AbortController()
    const count = (by: 1 | -1) => {
      if (address === undefined) return
      const left = (heldBy.get(address) ?? 0) + by
      if (left === 0) heldBy.delete(address)
      else heldBy.set(address, left)
    }
    const own: Held = {
      signal: ending.signal,
      end() {
        if (ending.signal.aborted) return
        ending.abort()
        count(-1)
        if (held.get(key) === own) held.delete(key)
      },
    }
    count(1)
    held.set(key, own)
    return own
  }

  /** Takes of the address's budget for each second that begins; only ever fails. */
  async function pay(address: string | undefined, signal: AbortSignal): Promise<never> {
    while (!signal.aborted) {
      await pace('waits', address)
      await pause(1_000, signal)
    }
    return new Promise<never>(() => {})
  }

  return (address, gone) => {
    const hold: Wait['hold'] = async (key, run) => {
      if (gone?.aborted) return undefined
      const own = open(address, key)
      gone?.addEventListener('abort', own.end, { once: true })
      const ended = new Promise<undefined>((resolve) => {
        own.signal.addEventListener('abort', () => resolve(undefined), { once: true })
      })
      try {
        return await Promise.race([run(own.signal), ended, pay(address, own.signal)])
      } finally {
        gone?.removeEventListener('abort', own.end)
        own.end()
      }
    }
    return {
      hold,
      async until(key, waitMs, look) {
        const seen = await look()
        if (seen !== undefined || waitMs <= 0) return seen
        return hold(key, async (signal) => {
          for (let waitedMs = 0; waitedMs < waitMs; waitedMs += waitingLimits.lookEveryMs) {
            await lookMoment()
            if (signal.aborted) return undefined
            const found = await look()
            if (found !== undefined) return found
          }
          return undefined
        })
      },
    }
  }
}
