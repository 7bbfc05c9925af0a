/** Checks argument types that the dialog cannot report well. The dialog validates everything else. */
import { LatchkeyError } from '@latchkey/protocol'

export const invalid = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })

export function textIn(path: string, value: string): string {
  if (typeof value !== 'string') throw invalid(path, `${path} must be a string`)
  return value
}

export function objectIn<T extends object>(path: string, value: T): T {
  if (typeof value !== 'object' || value === null) throw invalid(path, `${path} must be an object`)
  return value
}
