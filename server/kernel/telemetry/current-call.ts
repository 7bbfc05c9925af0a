/**
 * The current call, for log lines and spans only. Code that needs values for its work must receive them as parameters.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

export type CurrentCall = {
  /** The request id of the client if it is well-formed, or a random one. */
  requestId: string
  /** The id of the call's app, once it was found. */
  app: string | undefined
  /** Undefined if tracing is disabled. */
  span: Span | undefined
}

const current = new AsyncLocalStorage<CurrentCall | undefined>()

export const runInCall = <Result>(call: CurrentCall, work: () => Result): Result => current.run(call, work)
/** Runs work that several calls share, such as opening a pooled connection, outside of the current call. */
export const runOutsideOfCalls = <Result>(work: () => Result): Result => current.run(undefined, work)
export const currentCall = (): CurrentCall | undefined => current.getStore()

/** Records the app of the call. Only the first one counts; a later one may be another app with a wallet. */
export function setCallApp(appId: string): void {
  const call = current.getStore()
  if (call) call.app ??= appId
}

/** Returns the fields that each log line of the call contains. */
export function getCallFields(): Readonly<Record<string, string>> {
  const call = current.getStore()
  if (!call) return {}
  const { requestId, app, span } = call
  return {
    requestId,
    ...(app !== undefined && { app }),
    ...(span && { traceId: span.spanContext().traceId }),
  }
}
