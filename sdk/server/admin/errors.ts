import type { AdminErrorCode } from './contract.ts'

/** `unreachable`: no answer arrived, so a change may have happened. The other codes are those of the server. */
export type LatchkeyAdminErrorCode = AdminErrorCode | 'unreachable'

/** Thrown by calls of the admin client. Decide by `code`, which never changes its meaning. */
export class LatchkeyAdminError extends Error {
  override name = 'LatchkeyAdminError'
  code: LatchkeyAdminErrorCode
  /** The HTTP status, or 0 without an answer. */
  status: number
  /** The invalid field. */
  path: string | undefined
  /** Names the call in the log of the server. */
  requestId: string | undefined

  constructor(
    code: LatchkeyAdminErrorCode,
    message: string,
    {
      status = 0,
      path,
      requestId,
      cause,
    }: { status?: number; path?: string | undefined; requestId?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.path = path
    this.requestId = requestId
  }
}
