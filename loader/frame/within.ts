/** What comes too late is a failure. */
export const within = <T>(deadlineMs: number, promise: Promise<T>): Promise<T> =>
  Promise.race([promise, new Promise<never>((_, reject) => setTimeout(reject, deadlineMs))])
