/** A clock that tests can replace. */
import { untilAborted } from './abort.ts'

export type Clock = {
  nowMs: () => number
  /** Schedules `run`. Returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits. Rejects when the signal aborts, and clears the timer. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {}
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  try {
    await untilAborted(elapsed, signal)
  } finally {
    cancel()
  }
}
