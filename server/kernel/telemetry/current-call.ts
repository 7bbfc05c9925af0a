/**
 * The call that runs just now, for whoever writes a line of the log or begins a span deep inside of it. It is no way to
 * pass anything on: what code needs to do its work it gets as a parameter.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

export type CurrentCall = {
  /** The call's own where it has a well-formed one; else it was made here. */
  requestId: string
  /** The id of the app that the call is for, once it was found. */
  app: string | undefined
  /** Undefined where nobody collects spans. */
  span: Span | undefined
}

const current = new AsyncLocalStorage<CurrentCall | undefined>()

export const inCall = <Result>(call: CurrentCall, work: () => Result): Result => current.run(call, work)
/** What a call begins and all share, such as a connection of a pool, is of no call. */
export const outsideOfCalls = <Result>(work: () => Result): Result => current.run(undefined, work)
export const currentCall = (): CurrentCall | undefined => current.getStore()

/** The first app that a call finds is its own; one that it finds later may be another one with a wallet. */
export function nameApp(appId: string): void {
  const call = current.getStore()
  if (call) call.app ??= appId
}

/** What each line of the log says of the call in which it is written. */
export function fieldsOfCall(): Readonly<Record<string, string>> {
  const call = current.getStore()
  if (!call) return {}
  const { requestId, app, span } = call
  return {
    requestId,
    ...(app !== undefined && { app }),
    ...(span && { traceId: span.spanContext().traceId }),
  }
}
