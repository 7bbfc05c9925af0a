import type { ErrorCode } from './error-codes.ts'

export type LatchkeyErrorOptions = {
  details?: unknown
  cause?: unknown
  retryAfterSeconds?: number | undefined
}

export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: ErrorCode
  readonly details: unknown
  /** When it may be better to ask again, where that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { cause, details, retryAfterSeconds }: LatchkeyErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What an unknown failure becomes before it crosses a boundary: a code and a sentence, never a stack. */
export function toLatchkeyError(error: unknown, fallback: ErrorCode, message: string): LatchkeyError {
  return error instanceof LatchkeyError ? error : new LatchkeyError(fallback, message, { cause: error })
}
