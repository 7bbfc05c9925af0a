/** What a failure of the database means: try again, tell the browser to come later, or a mistake of ours. */

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** What the engines do not say themselves. */
const WRITER_BUSY = 'WRITER_BUSY'
const CONNECTION_LOST = 'CONNECTION_LOST'
const COMMIT_FAILED = 'COMMIT_FAILED'
const failure = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code })

export const databaseBusy = () => failure(WRITER_BUSY, 'Another transaction holds the database')
export const connectionLost = (cause: unknown) =>
  failure(CONNECTION_LOST, 'The connection to the database was lost', cause)
export const commitFailed = (cause: unknown) => failure(COMMIT_FAILED, 'The database kept nothing', cause)

/** The result code of SQLite; extended codes carry the kind in the upper bits. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (codeOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return undefined
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const busyCodes: ReadonlySet<number> = new Set([5, 6])
export const isBusy = (error: unknown): boolean => busyCodes.has(sqliteCodeOf(error) ?? 0)

/** The engine undid the transaction for the sake of another one; it may be run again. */
const undone = new Set([
  '40001', // not serializable; distributed engines say it where PostgreSQL would wait
  '40P01', // deadlock
  '55P03', // a lock was not to be had in time
])
export const mayRunAgain = (error: unknown) =>
  isBusy(error) || isStalePlan(error) || undone.has(codeOf(error) ?? '')

/**
 * A prepared statement is gone, or outlived a change of its table: whoever prepares it anew gets through. PostgreSQL has
 * one code for the second and for all that it cannot do at all, so its routine is looked at too.
 */
export const isStalePlan = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === '26000' || (code === '0A000' && Object(error).routine === 'RevalidateCachedQuery')
}

/** SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the disk does not take it. */
const diskCodes: ReadonlySet<number> = new Set([10, 13, 14])

/** PostgreSQL says it and ends the connection. */
const endings = new Set([
  '57P01', // shut down by an administrator
  '57P02', // another process of it crashed
  '57P03', // starting up, or shutting down
  '57P05', // idle for too long
  '25P03', // idle in transaction for too long
])
export const endsConnection = (error: unknown): boolean => {
  const code = codeOf(error) ?? ''
  return endings.has(code) || code.startsWith('08')
}

const overloaded = new Set([
  '57014', // statement timeout
  '25006', // read-only: a standby that is no primary yet, or no longer
  WRITER_BUSY,
  CONNECTION_LOST,
  COMMIT_FAILED,
])

/** PostgreSQL takes no text with a NUL in it: whoever called sent one that no schema looked at. */
export const isTextRefused = (error: unknown) => codeOf(error) === '22021'

/** The database is away or overloaded. Whether a commit in flight arrived is not known, so nothing is repeated. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (mayRunAgain(error) || endsConnection(error) || overloaded.has(code)) return true
  // Class 53: no connection, memory or disk left.
  return code.startsWith('53') || diskCodes.has(sqliteCodeOf(error) ?? 0)
}
