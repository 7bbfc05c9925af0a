/** Time that stands still until the test moves it. */
import type { Clock } from '../clock.ts'

export function testClock() {
  let nowMs = 0
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
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
