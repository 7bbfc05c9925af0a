/** What comes too late is a failure. */
export const within = <T>(deadlineMs: number, promise: Promise<T>): Promise<T> =>
  Promise.race([promise, new Promise<never>((_, reject) => setTimeout(reject, deadlineMs))])

/** What is waited for, or the reason of the signal where that comes first. */
export const untilAborted = <T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason)
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave)
    waited.then(resolve, reject)
  })
