/** How often a call is tried, and how long is waited in between. */
import { apiLimits, type LatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../ports.ts'
import { stopIfAborted, wait } from '../waiting.ts'

export type Attempt =
  | { readonly result: 'answered'; readonly data: unknown }
  | {
      readonly result: 'refused'
      readonly error: LatchkeyError
      /** `at once`: what was wrong is set right by now. That happens once in a call. */
      readonly again: 'later' | 'at once' | 'no'
    }

export async function withRetries(
  clock: Clock,
  options: { readonly retries: number; readonly signal: AbortSignal | undefined },
  attemptOnce: () => Promise<Attempt>,
): Promise<unknown> {
  const { retries, signal } = options
  let delayMs: number = apiLimits.firstRetryDelayMs
  let corrected = false
  for (let retried = 0; ; ) {
    stopIfAborted(signal)
    const attempt = await attemptOnce()
    if (attempt.result === 'answered') return attempt.data
    const { error, again } = attempt
    if (again === 'at once' && !corrected) {
      corrected = true
      continue
    }
    const waitMs = Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1_000)
    // A server that asks for more patience than one call has is not asked again.
    if (again !== 'later' || retried >= retries || waitMs > apiLimits.timeoutMs) throw error
    await wait(clock, waitMs, signal)
    delayMs *= apiLimits.retryDelayFactor
    retried += 1
  }
}
