/** Error responses: a code and a message, never a stack trace or a database error. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Context } from 'hono'
import { isTextRefused, isUnavailable } from '../db/failures.ts'
import { failureLimits } from '../limits.ts'
import { statusForCode } from './statuses.ts'

export function toLatchkeyError(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error
  if (isTextRefused(error)) {
    return new LatchkeyError('invalid_data', 'Something is not as it should be', {
      details: { path: '' },
      cause: error,
    })
  }
  return isUnavailable(error)
    ? new LatchkeyError('unavailable', 'The server is busy. Please try again.', { cause: error })
    : new LatchkeyError('internal_error', 'Something went wrong', { cause: error })
}

export function errorResponse(
  c: Context,
  { code, message, details, retryAfterSeconds }: LatchkeyError,
): Response {
  const status = statusForCode(code)
  // A 503 always has a `retry-after`.
  const after = retryAfterSeconds ?? (status === 503 ? failureLimits.retryAfterSeconds : undefined)
  if (after !== undefined) c.header('retry-after', String(Math.ceil(after)))
  return c.json({ error: message, code, ...(details !== undefined && { details }) }, status)
}
