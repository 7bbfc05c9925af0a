/** A route's data between code and wire: parsed both ways, named by the one mapping. */
import { type ErrorCode, fromWire, LatchkeyError, toWire } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import * as v from 'valibot'

/** Checked here too: what the server would refuse is not sent. */
export function readBody(route: Route, body: unknown): unknown {
  if (!route.body) return undefined
  const parsed = v.safeParse(route.body, body)
  if (!parsed.success) throw mismatch('invalid_data', parsed.issues)
  return parsed.output
}

export const writeBody = (route: Route, body: unknown): string | undefined =>
  route.body && JSON.stringify(toWire(route.body, body))

export function readOutput(route: Route, data: unknown): unknown {
  const parsed = v.safeParse(route.output, fromWire(route.output, data))
  if (!parsed.success) throw mismatch('invalid_answer', parsed.issues)
  return parsed.output
}

function mismatch(code: ErrorCode, [issue]: readonly v.BaseIssue<unknown>[]) {
  const path = issue ? v.getDotPath(issue) : null
  return new LatchkeyError(code, issue?.message ?? 'Invalid data', { details: { path } })
}

export const fillPath = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
