/** Shares one run of a task among concurrent callers, and aborts it when the last of them aborts. */
import { orAborted, throwIfAborted } from './waiting.ts'

type Run<T> = {
  outcome: Promise<T>
  controller: AbortController
  /** The number of waiting callers. A caller without a signal waits to the end. */
  waiting: number
}

export type Join<T> = (run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => Promise<T>

export function createShared<T>(): Join<T> {
  let present: Run<T> | undefined

  function begin(run: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController()
    const newRun: Run<T> = { outcome: run(controller.signal), controller, waiting: 0 }
    const forget = () => {
      if (present === newRun) present = undefined
    }
    newRun.outcome.then(forget, forget)
    present = newRun
    return newRun
  }

  return async (run, signal) => {
    throwIfAborted(signal)
    const joined = present ?? begin(run)
    joined.waiting += 1
    const release = () => {
      joined.waiting -= 1
      if (joined.waiting > 0) return
      if (present === joined) present = undefined
      joined.controller.abort(signal?.reason)
    }
    signal?.addEventListener('abort', release, { once: true })
    try {
      return await orAborted(joined.outcome, signal)
    } finally {
      signal?.removeEventListener('abort', release)
    }
  }
}
