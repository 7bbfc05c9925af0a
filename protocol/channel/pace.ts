import { LatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'
import type { Pace } from './contract.ts'

const paces: { readonly [pace in Pace]: { readonly perSecond: number; readonly maxQueued: number } } = {
  calls: { perSecond: channelLimits.callsPerSecond, maxQueued: channelLimits.maxQueuedCalls },
  reads: { perSecond: channelLimits.readsPerSecond, maxQueued: channelLimits.maxQueuedReads },
}

/**
 * So many calls of a pace a second: a burst of as many passes at once, what comes faster waits its turn, and what would
 * wait behind too many others is refused. (The generic cell rate algorithm: one number is the whole state.)
 */
export function createPacer(now: () => number, pace: Pace = 'calls') {
  const { perSecond, maxQueued } = paces[pace]
  const intervalMs = 1_000 / perSecond
  const burstMs = intervalMs * (perSecond - 1)
  let nextTurn = 0
  return function turn(): Promise<void> | undefined {
    const time = now()
    const mine = Math.max(nextTurn, time)
    const waitMs = mine - time - burstMs
    if (waitMs > maxQueued * intervalMs) {
      throw new LatchkeyError('too_many_requests', 'Too many calls at once', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    nextTurn = mine + intervalMs
    return waitMs <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
