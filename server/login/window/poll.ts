import { setTimeout as sleep } from 'node:timers/promises'
import { loginWindowLimits } from '../../limits.ts'

/** Looks at growing pauses, without holding a connection between. Undefined when the time is over. */
export async function poll<Value>(
  waitMs: number,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const until = performance.now() + waitMs
  let pauseMs: number = loginWindowLimits.pollFirstMs
  for (;;) {
    const seen = await look()
    const leftMs = until - performance.now()
    if (seen !== undefined || leftMs <= 0) return seen
    await sleep(Math.min(pauseMs, leftMs))
    pauseMs = Math.min(pauseMs * 2, loginWindowLimits.pollLongestMs)
  }
}
