/**
 * Stops requests to a hook that keeps failing, so that it does not delay every login. After the pause one request tests
 * the hook. Each process has its own breakers.
 */
import type { Clock } from '../../kernel/ports.ts'
import { hookLimits } from './limits.ts'

type Breaker = { failures: number; pausedUntilMs: number }

export function createCircuitBreakers(clock: Clock) {
  const breakers = new Map<string, Breaker>()
  return {
    /** Returns whether the hook may be asked. During a test by another request it may not. */
    admits(key: string): boolean {
      const breaker = breakers.get(key)
      if (breaker === undefined || breaker.failures < hookLimits.failuresBeforePause) return true
      if (clock.nowMs() < breaker.pausedUntilMs) return false
      breaker.pausedUntilMs = clock.nowMs() + hookLimits.pauseMs
      return true
    },
    noteSuccess(key: string): void {
      breakers.delete(key)
    },
    /** Returns whether this failure began a pause. */
    noteFailure(key: string): boolean {
      const failures = (breakers.get(key)?.failures ?? 0) + 1
      breakers.set(key, { failures, pausedUntilMs: clock.nowMs() + hookLimits.pauseMs })
      return failures === hookLimits.failuresBeforePause
    },
  }
}
