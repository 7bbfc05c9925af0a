/** A clock that the test advances, and helpers to wait for work that needs no time. */
import type { Clock } from '../clock.ts'

export function testClock() {
  let nowMs = 0
  const timers = new Set<{ atMs: number; run: () => void }>()
  const clock: Clock = {
    nowMs: () => nowMs,
    after: (ms, run) => {
      const timer = { atMs: nowMs + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const advance = (ms: number) => {
    nowMs += ms
    for (const timer of [...timers]) {
      if (timer.atMs <= nowMs && timers.delete(timer)) timer.run()
    }
  }
  return { ...clock, advance, timers: () => timers.size }
}

const ROUNDS = 10
/** Waits for pending work. Hashes are computed outside this thread, so each round awaits one of its own. */
export async function settled(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
