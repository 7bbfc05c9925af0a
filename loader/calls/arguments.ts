/**
 * The dialog parses what a page gives. What is of another kind altogether is refused before, in words that say which
 * argument that is.
 */
import { LatchkeyError } from '@latchkey/protocol'

export const invalid = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })

export function textIn(path: string, value: string): string {
  if (typeof value !== 'string') throw invalid(path, `${path} must be a text`)
  return value
}

export function objectIn<T extends object>(path: string, value: T): T {
  if (typeof value !== 'object' || value === null) throw invalid(path, `${path} must be an object`)
  return value
}
