/** Time as a port, so that a test moves it. */
import { untilAborted } from './abort.ts'

export type Clock = {
  nowMs: () => number
  /** Answers how to call it off. */
  after: (ms: number, run: () => void) => () => void
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Rejects when the signal ends, and leaves no timer behind. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let callOff = () => {}
  const over = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve)
  })
  try {
    await untilAborted(over, signal)
  } finally {
    callOff()
  }
}
