/** Waits with an abort signal or a deadline. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from './ports.ts'

/** Options with a signal that aborts when the caller no longer waits. */
export type Cancellable = { signal?: AbortSignal | undefined }

export const toAbortError = (signal: AbortSignal): LatchkeyError =>
  toLatchkeyError(signal.reason, 'call_cancelled', 'The call was cancelled')

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toAbortError(signal)
}

/** Resolves after the delay. Rejects at once if the signal aborts. */
export const wait = (clock: Clock, delayMs: number, signal?: AbortSignal) => {
  let stop = () => {}
  const time = new Promise<void>((resolve) => {
    stop = clock.after(delayMs, resolve)
  })
  return orAborted(time, signal).finally(() => stop())
}

/** Rejects if the signal aborts. The underlying work continues. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(toAbortError(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Rejects with `tooLate()` after the deadline. */
export async function withDeadline<T>(
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
