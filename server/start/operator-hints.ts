/** Explains errors that an operator can fix: location, reason and next step, without a stack. */
import { getSqliteCode, isUnavailable } from '../kernel/db/failures.ts'

/** PostgreSQL messages contain roles, databases and hosts, but never passwords. */
const postgresHints: Readonly<Record<string, string>> = {
  '28P01': 'Correct the role or the password in DATABASE_URL.',
  '28000': 'Create the role of DATABASE_URL with LOGIN, or allow it in pg_hba.conf.',
  '3D000': 'Create the database that DATABASE_URL names: CREATE DATABASE <name> OWNER <role>.',
  '42501': 'Grant the role of DATABASE_URL its rights: docs/operating.md, Migrations.',
  '53100': 'The disk of PostgreSQL is full. Free space there, then start again.',
  '53300': 'PostgreSQL has no connection left. Raise its max_connections, or lower DATABASE_CONNECTIONS.',
}

const sqliteHints: Readonly<Record<number, string>> = {
  8: 'The database file of DATABASE_URL is read-only. Mount its disk writable, and give this user the file and its folder.',
  10: 'The disk of DATABASE_URL fails to read or write. Check it, and check that it has space left.',
  11: 'The database file of DATABASE_URL is damaged. Restore a backup: docs/operating.md, Restore.',
  13: 'The disk of DATABASE_URL is full. Free space, then start again.',
  14: 'The database file of DATABASE_URL cannot be opened. Check its path, and that this user may write in its folder.',
  26: 'The file of DATABASE_URL is not an SQLite database. Correct the path.',
}

const fileHints: Readonly<Record<string, string>> = {
  ENOSPC: 'Its disk is full. Free space, then start again.',
  EDQUOT: 'The disk quota of this user is used up. Free space, then start again.',
  EROFS: 'Its disk is read-only. Mount it writable, or name another path.',
  EACCES: 'This user may not use it. Change its owner or its mode.',
  EPERM: 'This user may not use it. Change its owner or its mode.',
}

/** Returns undefined for an error that only a developer can explain. A failed commit wraps the engine's error. */
export function hintFor(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const hint = hintForOne(at)
    if (hint !== undefined) return hint
  }
  return isUnavailable(error) ? `The database of DATABASE_URL does not answer${reasonIn(error)}.` : undefined
}

function hintForOne(error: Error): string | undefined {
  const sqliteHint = sqliteHints[getSqliteCode(error) ?? 0]
  if (sqliteHint !== undefined) return sqliteHint
  // The PostgreSQL client has no code for a missing password.
  if (error.message.startsWith('SASL:'))
    return 'PostgreSQL asks for a password. Add it to DATABASE_URL, or set PGPASSWORD.'
  const code = codeIn(error)
  const postgresHint = postgresHints[code]
  if (postgresHint !== undefined) return `PostgreSQL answers: ${error.message}.\n${postgresHint}`
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'A file'
  const fileHint = fileHints[code]
  if (fileHint !== undefined) return `${path} cannot be used (${code}). ${fileHint}`
  // Node reports this code for a folder on a read-only disk too.
  return code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
    ? `${path} cannot be created. Its disk is read-only, or the path above it does not exist.`
    : undefined
}

const codeIn = (error: object): string =>
  'code' in error && typeof error.code === 'string' ? error.code : ''

function reasonIn(error: unknown): string {
  const code = error instanceof Error && error.cause instanceof Error ? codeIn(error.cause) : ''
  return code === '' ? '' : ` (${code})`
}
