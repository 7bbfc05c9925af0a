import { useEffect, useInsertionEffect, useRef, useState } from 'react'
import type { LatchkeyEvents } from '../types/options.ts'
import type { ErrorCode, LatchkeyError } from '../types/published.ts'
import type { App } from './app.ts'
import { useApp } from './provider.ts'

export type ErrorCallback = {
  /** The code says what happened; the error says more. */
  onError?: ((code: ErrorCode, error: LatchkeyError) => void) | undefined
}
export type Callbacks<Result> = ErrorCallback & {
  onSuccess?: ((result: Result) => void) | undefined
}

/** What a component was last drawn with. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/** Made with the first render of a component, and the same ever after. */
export function useOnce<T>(create: (app: App) => T): T {
  const app = useApp()
  return useState(() => create(app))[0]
}

/**
 * Reports the outcome of a call to callbacks beside its promise. A caller that ignores the promise, as a button does, gets a
 * failure by `onError`, and not as an unhandled rejection.
 */
export const withCallbacks = <Args extends readonly unknown[], Result, Value = Result>(
  call: (...args: Args) => Promise<Result>,
  callbacks: {
    current: { onSuccess?: ((result: Value) => void) | undefined } & ErrorCallback
  },
  toValue: (result: Result) => Value = (result) => result as unknown as Value,
) => {
  return (...args: Args): Promise<Result> => {
    const result = call(...args)
    result.then(
      (value) => callbacks.current.onSuccess?.(toValue(value)),
      (error: LatchkeyError) => callbacks.current.onError?.(error.code, error),
    )
    return result
  }
}

/** Listens for as long as the component is mounted. */
export function useEvent<Name extends keyof LatchkeyEvents>(
  name: Name,
  listener: (event: LatchkeyEvents[Name]) => void,
) {
  const app = useApp()
  const latest = useLatest(listener)
  useEffect(() => app.on(name, (event) => latest.current(event)), [app, name, latest])
}
