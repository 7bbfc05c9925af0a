import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { compileQuery, type Placeholder } from './compile-query.ts'
import { openDatabase } from './database.ts'
import type { Migration, Migrations } from './migrations/migration.ts'
import { forEachEngine } from './test-engines.ts'

const attempt = (key: string, count = 0) => ({ key, window_start: 1, count, expires_at: 2 })

forEachEngine((database, engine) => {
  const readCount = async (key: string) =>
    (await database().db.selectFrom('attempts').select('count').where('key', '=', key).executeTakeFirst())
      ?.count

  test('returns big integers and counts as numbers', async () => {
    const { db } = database()
    await db.insertInto('attempts').values(attempt('a', 1_800_000_000_123)).execute()
    const row = await db
      .selectFrom('attempts')
      .select((query) => ['count', query.fn.countAll<number>().as('rows')])
      .groupBy('count')
      .executeTakeFirstOrThrow()
    expect({ ...row }).toEqual({ count: 1_800_000_000_123, rows: 1 })
  })

  test('a write outside of a transaction is visible immediately', async () => {
    const { db } = database()
    await db.insertInto('attempts').values(attempt('a', 7)).execute()
    expect(await readCount('a')).toBe(7)
    const { numUpdatedRows } = await db.updateTable('attempts').set({ count: 8 }).executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(1n)
  })

  test('a transaction that throws is rolled back', async () => {
    const { transaction } = database()
    const failing = transaction(async (trx) => {
      await trx.insertInto('attempts').values(attempt('a')).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await readCount('a')).toBeUndefined()
  })

  test('a reader sees the last commit and does not wait for an open transaction', async () => {
    const { db, transaction } = database()
    await db.insertInto('attempts').values(attempt('a', 1)).execute()
    await transaction(async (trx) => {
      await trx.updateTable('attempts').set({ count: 2 }).execute()
      expect(await readCount('a')).toBe(1)
    })
    expect(await readCount('a')).toBe(2)
  })

  test('parallel transactions lose no increments', async () => {
    const { db, transaction } = database()
    await db.insertInto('attempts').values(attempt('a')).execute()
    const increment = () =>
      transaction(async (trx) => {
        await trx
          .updateTable('attempts')
          .set((query) => ({ count: query('count', '+', 1) }))
          .execute()
      })
    await Promise.all(Array.from({ length: 40 }, increment))
    expect(await readCount('a')).toBe(40)
  })

  test('failed and rolled back changes of a group leave no trace in the others', async () => {
    const { db, transaction } = database()
    await db.insertInto('attempts').values(attempt('taken')).execute()
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) => {
        if (at % 3 === 0)
          return db
            .insertInto('attempts')
            .values(attempt(`single ${at}`))
            .execute()
        if (at % 3 === 1) return db.insertInto('attempts').values(attempt('taken')).execute()
        return transaction(async (trx) => {
          await trx
            .insertInto('attempts')
            .values(attempt(`in transaction ${at}`))
            .execute()
          if (at % 2) throw new Error('changed my mind')
        })
      }),
    )
    const rows = await db.selectFrom('attempts').select('key').execute()
    const keys = rows.map((row) => row.key).filter((key) => key !== 'taken')
    const expected = Array.from({ length: 30 }, (_, at) => at).flatMap((at) => {
      if (at % 3 === 0) return [`single ${at}`]
      return at % 3 === 2 && at % 2 === 0 ? [`in transaction ${at}`] : []
    })
    expect(keys.sort()).toEqual(expected.sort())
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(expected.length)
  })

  test('retries a transaction that the engine rolled back', async () => {
    const { transaction } = database()
    let runs = 0
    await transaction(async (trx) => {
      runs += 1
      await trx
        .insertInto('attempts')
        .values(attempt(`run ${runs}`))
        .execute()
      const undone =
        engine === 'postgres' ? { code: '40001' } : { code: 'ERR_SQLITE_ERROR', errcode: 5 | (2 << 8) }
      if (runs < 3) throw Object.assign(new Error('undone'), undone)
    })
    expect(await readCount('run 1')).toBeUndefined()
    expect(await readCount('run 3')).toBe(0)
  })

  test('rejects a statement after the end of its transaction', async () => {
    const { transaction } = database()
    const escaped = await transaction(async (trx) => ({ trx }))
    await expect(escaped.trx.insertInto('attempts').values(attempt('late')).execute()).rejects.toThrow()
    expect(await readCount('late')).toBeUndefined()
  })

  test('builds a compiled query once for the database, its connections and its transactions', async () => {
    const { db, transaction } = database()
    await db
      .insertInto('attempts')
      .values([attempt('a', 1), attempt('b', 2)])
      .execute()
    let built = 0
    const counts = compileQuery((reader, value: Placeholder<{ key: string }>) => {
      built += 1
      return reader.selectFrom('attempts').select('count').where('key', '=', value('key'))
    })
    expect(await counts(db, { key: 'a' })).toMatchObject([{ count: 1 }])
    expect(await transaction((trx) => counts(trx, { key: 'b' }))).toMatchObject([{ count: 2 }])
    expect(await transaction((trx) => counts(trx, { key: 'a' }))).toMatchObject([{ count: 1 }])
    const connection = db.connection()
    expect(await connection.execute((reader) => counts(reader, { key: 'b' }))).toMatchObject([{ count: 2 }])
    expect(built).toBe(1)
  })

  test('an account belongs to one user of an app', async () => {
    const { db } = database()
    const account = { app_id: 'app', type: 'email', identifier: 'a@b.c', profile: '{}' }
    const times = { verified_at: 1, first_verified_at: 1, latest_verified_at: 1 }
    await db
      .insertInto('linked_accounts')
      .values({ id: '1', user_id: 'u1', ...account, ...times })
      .execute()
    const second = db.insertInto('linked_accounts').values({ id: '2', user_id: 'u2', ...account, ...times })
    await expect(second.execute()).rejects.toThrow(/unique/i)
  })

  test('migrating is idempotent and safe in parallel', async () => {
    await Promise.all([database().migrate(), database().migrate()])
    expect(await database().isMigrated()).toBe(true)
  })
})

test('a write that returned is visible to other connections', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  const writing = openDatabase(join(folder, 'a.sqlite'))
  onTestFinished(async () => {
    await writing.close()
    rmSync(folder, { recursive: true })
  })
  await writing.migrate()
  const found: boolean[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      await writing.db
        .insertInto('attempts')
        .values(attempt(`told ${at}`))
        .execute()
      // Another connection sees committed rows only.
      const other = new DatabaseSync(join(folder, 'a.sqlite'), { readOnly: true })
      found.push(other.prepare('select 1 from attempts where key = ?').get(`told ${at}`) !== undefined)
      other.close()
    }),
  )
  expect(found).toEqual(Array.from({ length: 20 }, () => true))
})

test('two processes on one SQLite file wait for each other', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  const first = openDatabase(join(folder, 'shared.sqlite'))
  const second = openDatabase(join(folder, 'shared.sqlite'))
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()])
    rmSync(folder, { recursive: true })
  })
  await Promise.all([first.migrate(), second.migrate()])
  await first.db.insertInto('attempts').values(attempt('a')).execute()
  const increment = ({ transaction }: typeof first) =>
    transaction(async (trx) => {
      const { count } = await trx.selectFrom('attempts').select('count').executeTakeFirstOrThrow()
      await trx
        .updateTable('attempts')
        .set({ count: count + 1 })
        .execute()
    })
  await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 ? first : second)))
  const { count } = await second.db.selectFrom('attempts').select('count').executeTakeFirstOrThrow()
  expect(count).toBe(20)
})

test('runs migrations of a capability that is added later, independent of name order', async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const table = (name: string): Migration => ({
    up: (db) => db.schema.createTable(name).addColumn('id', 'text').execute(),
  })
  const later = { 'later/0001': table('later') }
  const tablesWith = async (migrations: Migrations) => {
    const database = openDatabase(join(folder, 'a.sqlite'), { migrations })
    await database.migrate()
    const tables = await database.db.introspection.getTables()
    await database.close()
    return tables.map(({ name }) => name)
  }
  expect(await tablesWith(later)).toEqual(expect.arrayContaining(['apps', 'later']))
  expect(await tablesWith({ 'added/0001': table('added'), ...later })).toContain('added')
})
