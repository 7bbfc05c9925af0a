/**
 * Returns the outcome of the work, or rejects with the signal's reason as soon as it aborts. A later outcome
 * is ignored.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    const settle = () => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort)
    work.finally(settle).then(resolve, reject)
    if (signal.aborted) {
      settle()
      onAbort()
    }
  })
}
