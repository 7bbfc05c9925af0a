/** Code that is loaded on first use. */
import { apiLimits, LatchkeyError } from '@latchkey/protocol'
import type { Clock } from './ports.ts'
import { wait } from './waiting.ts'

export type Loadable<T> = {
  /** Returns the code if it is loaded. */
  loaded: () => T | undefined
  /** Loads the code once. After a failure, the next call retries. */
  load: () => Promise<T>
}

export function loadable<T>(load: () => Promise<T>): Loadable<T> {
  let value: T | undefined
  let loading: Promise<T> | undefined
  return {
    loaded: () => value,
    load() {
      loading ??= load().then(
        (came) => {
          value = came
          return came
        },
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
}

/** Loads a script with the retries of an API call. */
export async function loadWithRetries<T>(clock: Clock, load: () => Promise<T>): Promise<T> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  for (let retried = 0; ; retried += 1) {
    try {
      return await load()
    } catch (cause) {
      if (retried === apiLimits.retries) {
        throw new LatchkeyError('server_unreachable', 'The dialog could not be loaded.', { cause })
      }
      await wait(clock, delayMs)
      delayMs *= apiLimits.retryDelayFactor
    }
  }
}
