import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../kernel/db/database.ts'
import { commitFailed } from '../kernel/db/failures.ts'
import { forPostgres } from '../kernel/db/test-engines.ts'
import { hintFor } from './operator-hints.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-hints-'))
afterAll(() => rmSync(folder, { recursive: true }))

function catchError(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing failed')
}

test('a full disk of SQLite is reported as full', () => {
  const database = new DatabaseSync(join(folder, 'full.sqlite'))
  database.exec('create table notes (text)')
  database.exec('pragma max_page_count = 2')
  const error = catchError(() => database.exec(`insert into notes values (zeroblob(100000))`))
  database.close()
  const hint = 'The disk of DATABASE_URL is full. Free space, then start again.'
  expect(hintFor(error)).toBe(hint)
  expect(hintFor(commitFailed(error))).toBe(hint)
})

test('a read-only database of SQLite is reported as read-only', () => {
  new DatabaseSync(join(folder, 'read-only.sqlite')).close()
  const database = new DatabaseSync(join(folder, 'read-only.sqlite'), { readOnly: true })
  const error = catchError(() => database.exec('create table notes (text)'))
  database.close()
  expect(hintFor(error)).toContain('The database file of DATABASE_URL is read-only.')
})

test.each([
  ['ENOSPC', '/etc/latchkey cannot be used (ENOSPC). Its disk is full. Free space, then start again.'],
  [
    'EROFS',
    '/etc/latchkey cannot be used (EROFS). Its disk is read-only. Mount it writable, or name another path.',
  ],
  [
    'EACCES',
    '/etc/latchkey cannot be used (EACCES). This user may not use it. Change its owner or its mode.',
  ],
])('%s is reported with the path of the file', (code, hint) => {
  expect(hintFor(Object.assign(new Error(code), { code, path: '/etc/latchkey', syscall: 'mkdir' }))).toBe(
    hint,
  )
})

test('a folder that Node cannot create is reported as read-only or missing', () => {
  const error = catchError(() => mkdirSync(join(folder, 'missing', 'data')))
  expect(hintFor(error)).toMatch(
    /missing\/data cannot be created\. Its disk is read-only, or the path above it/,
  )
})

test('an error of the program itself has no hint', () => {
  expect(hintFor(new TypeError('x is undefined'))).toBeUndefined()
})

forPostgres((_, __, url) => {
  test.each<[string, (url: URL) => void, RegExp]>([
    [
      'a missing database',
      (at) => Object.assign(at, { pathname: '/nowhere' }),
      /^PostgreSQL answers: database "nowhere" does not exist\.\nCreate the database that DATABASE_URL names/,
    ],
    [
      'a missing role or a wrong password',
      (at) => Object.assign(at, { username: 'ghost', password: 'a-password' }),
      /^PostgreSQL answers: .*"ghost".*\n(Correct the role or the password in DATABASE_URL|Create the role of DATABASE_URL)/,
    ],
  ])('PostgreSQL reports %s, and the hint explains what to do', async (_, change, hint) => {
    const at = new URL(url())
    change(at)
    const database = openDatabase(at.href)
    const error = await database.tableState().catch((reason: unknown) => reason)
    await database.close()
    expect(hintFor(error)).toMatch(hint)
    expect(hintFor(error)).not.toContain('a-password')
  })
})
