/** Rejects if the promise does not settle within the deadline. */
export const withTimeout = <T>(deadlineMs: number, promise: Promise<T>): Promise<T> =>
  Promise.race([promise, new Promise<never>((_, reject) => setTimeout(reject, deadlineMs))])

/** Settles like the promise, or rejects with the abort reason of the signal. */
export const abortable = <T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    waited.then(resolve, reject)
  })
