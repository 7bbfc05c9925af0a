/** Callers that come while a call runs share it and its answer. It is taken back when all of them have left. */
export function merge<T>(run: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let running: { readonly promise: Promise<T>; join(signal: AbortSignal): void } | undefined

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
        signal.addEventListener('abort', () => {
          callers -= 1
          if (callers > 0) return
          forget()
          controller.abort(signal.reason)
        })
      },
    }
    return mine
  }

  return (signal) => {
    running ??= start()
    running.join(signal)
    return running.promise
  }
}
