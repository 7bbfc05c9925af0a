/**
 * Shares one run among concurrent callers. A caller that aborts while others wait is rejected immediately. The
 * last one to abort cancels the run and receives its outcome.
 */
export function merge<T>(run: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let running: { promise: Promise<T>; join(signal: AbortSignal): Promise<T> } | undefined

  function start() {
    const controller = new AbortController()
    let callers = 0
    const forget = () => {
      if (running === mine) running = undefined
    }
    const promise = run(controller.signal)
    promise.then(forget, forget)
    const mine = {
      promise,
      join(signal: AbortSignal) {
        callers += 1
        return new Promise<T>((resolve, reject) => {
          promise.then(resolve, reject)
          signal.addEventListener('abort', () => {
            callers -= 1
            if (callers > 0) return reject(signal.reason)
            forget()
            controller.abort(signal.reason)
          })
        })
      },
    }
    return mine
  }

  return (signal) => {
    running ??= start()
    return running.join(signal)
  }
}
