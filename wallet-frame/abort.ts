/** The work's outcome, or the signal's reason as soon as it ends. What is not waited for any more goes unheard. */
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
