/**
 * Tracing: one span per call, with child spans for each query and third-party request. A no-op until `start/telemetry/`
 * opens a tracer; this file imports only types.
 *
 * Spans name calls by their route template and third parties by our label. They contain no concrete paths, addresses,
 * headers, query values or error messages.
 */
import type { Attributes, Span } from '@opentelemetry/api'
import { currentCall, runOutsideOfCalls } from './current-call.ts'

export type SpanStart = {
  kind: 'server' | 'client'
  attributes: Attributes
  /** Milliseconds since 1970, if the span began earlier. */
  startedAtMs?: number
}
export type Tracing = {
  /** A span without a parent starts a trace. */
  start: (name: string, start: SpanStart, parent: Span | undefined) => Span
  fail: (span: Span) => void
}

let tracing: Tracing | undefined

/** Enables tracing. Returns a function that disables it. */
export function openTracing(opened: Tracing): () => void {
  tracing = opened
  return () => {
    if (tracing === opened) tracing = undefined
  }
}

export const isTracing = (): boolean => tracing !== undefined

/** Starts the root span of a call. Ignores trace headers, so that clients cannot influence sampling. */
export const startTrace = (name: string, start: SpanStart): Span | undefined =>
  tracing?.start(name, start, undefined)

/** Starts a child span of the current call. Background work has none; metrics cover it. */
export function startSpan(name: string, start: SpanStart): Span | undefined {
  const parent = currentCall()?.span
  return parent && tracing?.start(name, start, parent)
}

/** Ends the span, as failed if `errorType` is set. */
export function endSpan(span: Span | undefined, attributes: Attributes, errorType?: string): void {
  if (!span) return
  span.setAttributes(attributes)
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType)
    tracing?.fail(span)
  }
  // The export is shared by several calls, so it must run outside of this one.
  runOutsideOfCalls(() => span.end())
}
