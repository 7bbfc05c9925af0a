/**
 * Long polling: calls that wait for an event of another call, such as the result of a window or an approval on a phone.
 * Each is open for seconds, so a rate limit counts its duration, and each address may only hold a few.
 *
 * A second call with the same key ends the first, which returns the current state: a browser that sends the call again
 * no longer reads the first response.
 *
 * All calls of a process poll at the same moments, so that their reads are batched (`db/gathered.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from '../attempts/attempts.ts'
import { waitingLimits } from '../limits.ts'
import type { Pace } from './pace.ts'

export type Wait = {
  /** Polls `look` until it returns a value. Returns undefined after the timeout or if the call was ended. */
  until: <Value>(
    key: string,
    waitMs: number,
    look: () => Promise<Value | undefined>,
  ) => Promise<Value | undefined>
  /** Waits for a third party, with the same limits. Returns undefined if the call was ended. */
  hold: <Value>(
    key: string,
    run: (signal: AbortSignal) => Promise<Value | undefined>,
  ) => Promise<Value | undefined>
}

/** Creates the `Wait` of a call. `gone` aborts when the client disconnects. */
export type Waits = (address: string | undefined, gone?: AbortSignal) => Wait

/** Resolves after the delay, or early if the signal aborts. */
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

  /** Consumes the address's quota for each second. Never resolves; rejects if the quota is exhausted. */
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
