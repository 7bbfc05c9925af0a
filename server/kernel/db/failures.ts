/** Classifies database errors: retry, respond with 503, or report a bug. */

const getErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Our own codes for failures that the engines do not report. */
const WRITER_BUSY = 'WRITER_BUSY'
const CONNECTION_LOST = 'CONNECTION_LOST'
const COMMIT_FAILED = 'COMMIT_FAILED'
const failure = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code })

export const databaseBusy = () => failure(WRITER_BUSY, 'Another transaction holds the database')
export const connectionLost = (cause: unknown) =>
  failure(CONNECTION_LOST, 'The connection to the database was lost', cause)
export const commitFailed = (cause: unknown) =>
  failure(COMMIT_FAILED, 'The database rolled back the commit', cause)

/** Returns the primary SQLite result code. Extended codes have it in the low byte. */
export function getSqliteCode(error: unknown): number | undefined {
  if (getErrorCode(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return undefined
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const busyCodes: ReadonlySet<number> = new Set([5, 6])
export const isBusy = (error: unknown): boolean => busyCodes.has(getSqliteCode(error) ?? 0)

/** The engine rolled back in favour of another transaction; it may be retried. */
const rollbackCodes = new Set([
  '40001', // serialization failure; distributed engines report it where PostgreSQL would wait
  '40P01', // deadlock
  '55P03', // lock timeout
])
export const isRetryable = (error: unknown) =>
  isBusy(error) || isStalePlan(error) || rollbackCodes.has(getErrorCode(error) ?? '')

/**
 * A prepared statement no longer exists, or its table has changed. Preparing it again succeeds. PostgreSQL uses 0A000
 * for every unsupported feature too, so the routine is checked as well.
 */
export const isStalePlan = (error: unknown): boolean => {
  const code = getErrorCode(error)
  return code === '26000' || (code === '0A000' && Object(error).routine === 'RevalidateCachedQuery')
}

/** SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: disk errors. */
const diskCodes: ReadonlySet<number> = new Set([10, 13, 14])

/** PostgreSQL closes the connection after these errors. */
const closingCodes = new Set([
  '57P01', // shut down by an administrator
  '57P02', // another process of it crashed
  '57P03', // starting up, or shutting down
  '57P05', // idle for too long
  '25P03', // idle in transaction for too long
])
export const endsConnection = (error: unknown): boolean => {
  const code = getErrorCode(error) ?? ''
  return closingCodes.has(code) || code.startsWith('08')
}

const overloadCodes = new Set([
  '57014', // statement timeout
  '25006', // read-only: a standby that is no primary yet, or no longer
  WRITER_BUSY,
  CONNECTION_LOST,
  COMMIT_FAILED,
])

/** PostgreSQL rejects text with NUL characters: the caller sent a value that no schema checked. */
export const isTextRefused = (error: unknown) => getErrorCode(error) === '22021'

/** The database is unreachable or overloaded. Not retried, because a commit may have succeeded before the failure. */
export function isUnavailable(error: unknown): boolean {
  const code = getErrorCode(error) ?? ''
  if (isRetryable(error) || endsConnection(error) || overloadCodes.has(code)) return true
  // Class 53: no connection, memory or disk left.
  return code.startsWith('53') || diskCodes.has(getSqliteCode(error) ?? 0)
}
