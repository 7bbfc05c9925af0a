import type { ErrorCode } from './error-codes.ts'

/** The documentation site: `homepage` of package.json. */
export const docsOrigin = 'https://latchkey.example'

export type LatchkeyErrorOptions = {
  details?: unknown
  cause?: unknown
  retryAfterSeconds?: number | undefined
}

export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError'
  declare readonly code: ErrorCode
  declare readonly details: unknown
  /** When to retry, if known. */
  declare readonly retryAfterSeconds: number | undefined

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

  /** The entry of the code in the reference of errors. */
  get docsUrl(): string {
    return `${docsOrigin}/errors/#${this.code}`
  }
}

/** Converts an unknown error for crossing a boundary, to a code and a message without a stack. */
export function toLatchkeyError(error: unknown, fallback: ErrorCode, message: string): LatchkeyError {
  return error instanceof LatchkeyError ? error : new LatchkeyError(fallback, message, { cause: error })
}
