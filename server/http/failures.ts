/** How a failure is told: a code and a sentence. Never a stack, never what an engine said. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Context } from 'hono'
import * as v from 'valibot'
import { isUnavailable } from '../db/failures.ts'
import { statusOf } from './statuses.ts'

export function asLatchkeyError(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error
  return isUnavailable(error)
    ? new LatchkeyError('unavailable', 'The server is busy. Please try again.', { cause: error })
    : new LatchkeyError('internal_error', 'Something went wrong', { cause: error })
}

const retryDetails = v.object({ retryAfterSeconds: v.number() })

export function failureAnswer(http: Context, error: LatchkeyError): Response {
  const { code, message, details } = error
  const retry = v.safeParse(retryDetails, details)
  if (retry.success) http.header('retry-after', String(Math.ceil(retry.output.retryAfterSeconds)))
  const told = retry.success ? undefined : details
  return http.json({ error: message, code, ...(told !== undefined && { details: told }) }, statusOf(code))
}
