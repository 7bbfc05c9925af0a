/**
 * Spans: one for each call, and below it one for each query and for each question to somebody outside. As the
 * instruments, they are nothing until `start/telemetry/` opens a tracer, and this file imports types alone.
 *
 * A span names a call by its template and a third party by our name of it. No path as it was called, no address, no
 * header, no query with its values and no message of an error is in one.
 */
import type { Attributes, Span } from '@opentelemetry/api'
import { currentCall, outsideOfCalls } from './current-call.ts'

export type SpanStart = {
  kind: 'server' | 'client'
  attributes: Attributes
  /** Milliseconds since 1970, where it began earlier. */
  startedAtMs?: number
}
export type Tracing = {
  /** A span without a parent begins a trace. */
  start: (name: string, start: SpanStart, parent: Span | undefined) => Span
  fail: (span: Span) => void
}

let tracing: Tracing | undefined

/** The answer ends it. */
export function openTracing(opened: Tracing): () => void {
  tracing = opened
  return () => {
    if (tracing === opened) tracing = undefined
  }
}

export const isTracing = (): boolean => tracing !== undefined

/** A call begins a trace of its own, whatever it says of one: whoever calls has no say in what is kept. */
export const startOfTrace = (name: string, start: SpanStart): Span | undefined =>
  tracing?.start(name, start, undefined)

/** Below the call that runs; without one there is none, for what runs by itself is seen in the metrics. */
export function startSpan(name: string, start: SpanStart): Span | undefined {
  const parent = currentCall()?.span
  return parent && tracing?.start(name, start, parent)
}

/** Ends it, as failed where there is a type of error. */
export function endSpan(span: Span | undefined, attributes: Attributes, errorType?: string): void {
  if (!span) return
  span.setAttributes(attributes)
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType)
    tracing?.fail(span)
  }
  // What exports it later, together with those of others, is of no call.
  outsideOfCalls(() => span.end())
}
