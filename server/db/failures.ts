/** What a failure of the database means: try again, tell the browser to come later, or a mistake of ours. */

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

const WRITER_BUSY = 'WRITER_BUSY'
export const databaseBusy = () =>
  Object.assign(new Error('Another transaction holds the database'), { code: WRITER_BUSY })

/** SQLITE_BUSY and SQLITE_LOCKED; their extended codes carry the kind in the upper bits. */
export function isBusy(error: unknown): boolean {
  if (codeOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error) || !('errcode' in error)) return false
  const kind = typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return kind === 5 || kind === 6
}

/** The engine undid the transaction for the sake of another one; it may be run again. */
const undone = new Set([
  '40001', // not serializable; distributed engines say it where PostgreSQL would wait
  '40P01', // deadlock
  '55P03', // a lock was not to be had in time
  '0A000', // a prepared statement outlived a change of its table; the next connection prepares it anew
  '26000', // a prepared statement is gone
])
export const mayRunAgain = (error: unknown) => isBusy(error) || undone.has(codeOf(error) ?? '')

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02',
  '57P03', // starting up
  '57014', // statement timeout
  '25P03', // idle in transaction for too long
  WRITER_BUSY,
])

/** The database is away or overloaded. Whether a commit in flight arrived is not known, so nothing is repeated. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (mayRunAgain(error) || connectionErrors.has(code) || code.startsWith('08')) return true
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}
