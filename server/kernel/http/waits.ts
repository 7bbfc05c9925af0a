/**
 * Long polling: calls that wait for an event of another call, such as the result of a window or an approval on a phone.
 * Each is open for seconds, so a rate limit counts its duration, and each address may only hold a few.
 *
 * A second call with the same key ends the first, which returns the current state: a browser that sends the call again
 * no longer reads the first response.
 *
 * All calls of a process poll at the same moments, so that their reads are batched (`db/batch-reads.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from '../attempts/attempts.ts'
import { waitingLimits } from '../limits.ts'
import type { RateLimit } from './rate-limit.ts'

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

type OpenWait = { end: () => void; signal: AbortSignal }

export function createWaits(pace: RateLimit, pause: Pause = realPause): Waits {
  const openWaits = new Map<string, OpenWait>()
  const openByAddress = new Map<string, number>()
  let pendingPoll: Promise<void> | undefined

  const nextPoll = () => {
    pendingPoll ??= pause(waitingLimits.pollEveryMs).then(() => {
      pendingPoll = undefined
    })
    return pendingPoll
  }

  function open(address: string | undefined, key: string): OpenWait {
    openWaits.get(key)?.end()
    if (address !== undefined && (openByAddress.get(address) ?? 0) >= waitingLimits.openPerAddress) {
      throw tooManyRequests(waitingLimits.retryAfterSeconds)
    }
    const ending = new AbortController()
    const count = (by: 1 | -1) => {
      if (address === undefined) return
      const left = (openByAddress.get(address) ?? 0) + by
      if (left === 0) openByAddress.delete(address)
      else openByAddress.set(address, left)
    }
    const own: OpenWait = {
      signal: ending.signal,
      end() {
        if (ending.signal.aborted) return
        ending.abort()
        count(-1)
        if (openWaits.get(key) === own) openWaits.delete(key)
      },
    }
    count(1)
    openWaits.set(key, own)
    return own
  }

  /** Consumes the address's quota for each second. Never resolves; rejects if the quota is exhausted. */
  async function chargeSeconds(address: string | undefined, signal: AbortSignal): Promise<never> {
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
        return await Promise.race([run(own.signal), ended, chargeSeconds(address, own.signal)])
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
          for (let waitedMs = 0; waitedMs < waitMs; waitedMs += waitingLimits.pollEveryMs) {
            await nextPoll()
            if (signal.aborted) return undefined
            const value = await look()
            if (value !== undefined) return value
          }
          return undefined
        })
      },
    }
  }
}
