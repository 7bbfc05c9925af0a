import type { Clock } from '../kernel/ports.ts'

/** A clock that stands still until the test moves it. */
export function movingClock(startMs = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advanceMs(byMs: number) {
      nowMs += byMs
    },
    advanceSeconds(bySeconds: number) {
      nowMs += bySeconds * 1_000
    },
  } satisfies Clock & Record<string, unknown>
}
