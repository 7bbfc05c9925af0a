import { LatchkeyError } from '../errors.ts'
import { channelLimits } from '../limits.ts'

/**
 * Twenty calls a second: a burst of as many passes at once, what comes faster waits its turn, and what would
 * wait behind fifty others is refused. (The generic cell rate algorithm: one number is the whole state.)
 */
export function createPacer(now: () => number) {
  const intervalMs = 1_000 / channelLimits.callsPerSecond
  const burstMs = intervalMs * (channelLimits.callsPerSecond - 1)
  let nextTurn = 0
  return function turn(): Promise<void> | undefined {
    const time = now()
    const mine = Math.max(nextTurn, time)
    const waitMs = mine - time - burstMs
    if (waitMs > channelLimits.maxQueuedCalls * intervalMs) {
      throw new LatchkeyError('too_many_requests', 'Too many calls at once', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    nextTurn = mine + intervalMs
    return waitMs <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
