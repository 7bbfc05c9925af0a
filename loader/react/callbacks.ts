import { useEffect, useInsertionEffect, useRef, useState } from 'react'
import type { LatchkeyEvents } from '../types/options.ts'
import type { ErrorCode, LatchkeyError } from '../types/published.ts'
import type { App } from './app.ts'
import { useApp } from './provider.ts'

export type ErrorCallback = {
  /** Receives the error code and the `LatchkeyError`. */
  onError?: ((code: ErrorCode, error: LatchkeyError) => void) | undefined
}
export type Callbacks<Result> = ErrorCallback & {
  onSuccess?: ((result: Result) => void) | undefined
}

/** Returns a ref to the value of the latest render. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/** Creates a value on the first render and keeps it. */
export function useOnce<T>(create: (app: App) => T): T {
  const app = useApp()
  return useState(() => create(app))[0]
}

/**
 * Adds callbacks to a call. Callers that ignore the promise, such as buttons, get errors by `onError` and not
 * as unhandled rejections.
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

/** Listens to an event while the component is mounted. */
export function useEvent<Name extends keyof LatchkeyEvents>(
  name: Name,
  listener: (event: LatchkeyEvents[Name]) => void,
) {
  const app = useApp()
  const latest = useLatest(listener)
  useEffect(() => app.on(name, (event) => latest.current(event)), [app, name, latest])
}
