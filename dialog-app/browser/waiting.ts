/** Waits that end: with what was waited for, with whoever waited, or with a deadline. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from './ports.ts'

/** Whoever asks may be gone before the answer: their signal says so, and nothing works on for them. */
export type Cancellable = { signal?: AbortSignal | undefined }

export const abortErrorOf = (signal: AbortSignal): LatchkeyError =>
  toLatchkeyError(signal.reason, 'call_cancelled', 'The call was taken back')

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortErrorOf(signal)
}

/** Rejects at once when the signal ends. */
export const wait = (clock: Clock, delayMs: number, signal?: AbortSignal) => {
  let stop = () => {}
  const time = new Promise<void>((resolve) => {
    stop = clock.after(delayMs, resolve)
  })
  return orAborted(time, signal).finally(() => stop())
}

/** The promise, or the end of its caller. What the promise stands for is not stopped by this. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(abortErrorOf(signal))
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The promise, or `tooLate` after the deadline. */
export async function within<T>(
  clock: Clock,
  deadlineMs: number,
  promise: Promise<T>,
  tooLate: () => LatchkeyError,
): Promise<T> {
  let stop = () => {}
  const deadline = new Promise<never>((_, reject) => {
    stop = clock.after(deadlineMs, () => reject(tooLate()))
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    stop()
  }
}
