/** Copies whole tables between engines: on SQLite always, and in every direction if PostgreSQL is available. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../db/database.ts'
import { forEachEngine } from '../db/test-engines.ts'
import type { Db } from '../ports.ts'
import { createRowSource, fill, isSame } from './fill.ts'
import { createSum, parseRow, type Row, readBatches, serializeRow } from './rows.ts'
import { inSnapshot, openStorage, type Storage } from './storage.ts'
import { assertNoRows, assertSameSchema, readSchema, type Table } from './tables.ts'
import { allRows, generateRows } from './testing/generated-rows.ts'

const nothing = async () => {}
const older = { code: 'database_not_current', advice: 'Migrate it.' } as const

forEachEngine((source, _engine, sourceUrl) => {
  forEachEngine((target, targetEngine, targetUrl) => {
    let from: Storage
    let to: Storage
    let tables: readonly Table[]
    beforeEach(async () => {
      from = await openStorage(sourceUrl(), 'write')
      to = await openStorage(targetUrl(), 'write')
      tables = (await readSchema(from)).tables
    })
    afterEach(async () => {
      await from.close()
      await to.close()
    })

    const copy = (beforeCommit: () => Promise<void> = nothing) =>
      inSnapshot(from, (reader) =>
        fill(to, {
          tables,
          source: createRowSource(reader),
          what: 'the target',
          beforeCommit,
          progress: () => {},
        }),
      )
    const readAllRows = async (db: Db) => {
      const found: Record<string, readonly string[]> = {}
      for (const { name } of tables) found[name] = await allRows(db, name)
      return found
    }
    const countRows = async (db: Db) => Object.values(await readAllRows(db)).flat().length

    test('both engines have the same tables, columns and keys', async () => {
      expect(tables.length).toBeGreaterThan(40)
      expect((await readSchema(to)).tables).toEqual(tables)
      expect(tables.find(({ name }) => name === 'codes')?.key).toEqual([
        'app_id',
        'purpose',
        'identifier',
        'binding',
      ])
      expect(tables.filter(({ key }) => key.length === 0)).toEqual([])
    })

    test('copies hundreds of rows with unusual values in every table unchanged', async () => {
      await generateRows(from, 210)
      const compared = await copy()
      const written = await readAllRows(to.db)
      expect(written).toEqual(await readAllRows(from.db))
      expect(new Set(Object.values(written).map(({ length }) => length))).toEqual(new Set([210]))
      expect(compared.every(isSame)).toBe(true)
      // The target has a number that JavaScript would round.
      expect(written.users?.filter((row) => row.includes('9007199254740993'))).not.toEqual([])
    })

    test('copies empty tables', async () => {
      const compared = await copy()
      expect(compared.map(({ read, written }) => [read.rows, written.rows])).toEqual(tables.map(() => [0, 0]))
    })

    test('excludes rows that are written during the copy', async () => {
      await generateRows(from, 120)
      await inSnapshot(from, async (reader) => {
        const accounts = tables.find(({ name }) => name === 'linked_accounts')
        if (!accounts) throw new Error('no such table')
        const batches = readBatches(reader, accounts)
        await batches.next()
        await source().db.deleteFrom('linked_accounts').execute()
        await source().db.deleteFrom('users').execute()
        let rest = 0
        for await (const batch of batches) rest += batch.length
        expect(rest).toBe(70)
        const written = await fill(to, {
          tables,
          source: createRowSource(reader),
          what: 'the target',
          beforeCommit: nothing,
          progress: () => {},
        })
        expect(written.find(({ table }) => table === 'users')?.written.rows).toBe(120)
      })
      expect(await allRows(from.db, 'users')).toEqual([])
    })

    describe('rollback of the target', () => {
      beforeEach(() => generateRows(from, 20))

      test('rolls back if a table differs in one value', async () => {
        await spoil(to.db, targetEngine)
        try {
          const compared = await copy()
          expect(compared.filter((one) => !isSame(one)).map(({ table }) => table)).toEqual(['sessions'])
        } finally {
          await unspoil(to.db, targetEngine)
        }
        expect(await countRows(target().db)).toBe(0)
      })

      test('rolls back if reading fails in the middle', async () => {
        const cut = tables.at(-1)?.name
        const copied = inSnapshot(from, (reader) =>
          fill(to, {
            tables,
            source: (table) => (table.name === cut ? failing() : readBatches(reader, table)),
            what: 'the target',
            beforeCommit: nothing,
            progress: () => {},
          }),
        )
        await expect(copied).rejects.toThrow('The disk is gone')
        expect(await countRows(target().db)).toBe(0)
      })

      test('rolls back if the check before the commit throws', async () => {
        const refusing = async () => Promise.reject(new Error('A server has started'))
        await expect(copy(refusing)).rejects.toThrow('A server has started')
        expect(await countRows(target().db)).toBe(0)
      })
    })

    test('rejects a target that has a row, and keeps that row', async () => {
      await generateRows(from, 3)
      await target()
        .db.insertInto('allowlist')
        .values({ app_id: 'one', type: 'email', identifier: 'ada@example.com' })
        .execute()
      await expect(copy()).rejects.toThrow('database_not_empty: the target already has rows, in allowlist.')
      expect(await countRows(target().db)).toBe(1)
      await expect(assertNoRows(to.db, tables, 'it')).rejects.toMatchObject({ code: 'database_not_empty' })
    })
  })

  test('rejects a database with other tables or migrations than this release', async () => {
    const { db } = source()
    const storage = await openStorage(sourceUrl(), 'read')
    try {
      const release = await readSchema(storage)
      const named = async () => ({ ...(await readSchema(storage)), what: 'it', older })
      assertSameSchema(release, await named(), false)
      await db.schema.createTable('visits').addColumn('id', 'text').execute()
      const other = await named()
      expect(() => assertSameSchema(release, other, false)).toThrow(
        'unknown_tables: it has tables that this release does not know: visits.',
      )
      assertSameSchema(release, other, true)
      const newer = { ...(await named()), migrations: [...release.migrations, 'visits/0001-visits'] }
      expect(() => assertSameSchema(release, newer, false)).toThrow(
        'unknown_migrations: it has migrations that this release does not know: visits/0001-visits.',
      )
      assertSameSchema(release, newer, true)
      const [first = '', ...rest] = release.migrations
      expect(() => assertSameSchema(release, { ...newer, migrations: rest }, true)).toThrow(
        `database_not_current: it lacks migrations of this release: ${first}. Migrate it.`,
      )
      await db.schema.alterTable('allowlist').addColumn('added_at', 'bigint').execute()
      const changed = await named()
      expect(() => assertSameSchema(release, changed, true)).toThrow(
        'unknown_tables: the table allowlist of it',
      )
    } finally {
      await storage.close()
      await db.schema.dropTable('visits').execute()
      await db.schema.alterTable('allowlist').dropColumn('added_at').execute()
    }
  })
})

/** Changes one column of one table on every insert. */
const spoil = async (db: Db, engine: Engine) => {
  if (engine === 'sqlite') {
    await sql`create trigger spoils after insert on sessions when new.id like '7:%'
      begin update sessions set counter = counter + 1 where id = new.id; end`.execute(db)
    return
  }
  await sql`create function spoils() returns trigger language plpgsql as
    $$ begin if new.id like '7:%' then new.counter := new.counter + 1; end if; return new; end $$`.execute(db)
  await sql`create trigger spoils before insert on sessions for each row execute function spoils()`.execute(
    db,
  )
}
const unspoil = async (db: Db, engine: Engine) => {
  if (engine === 'sqlite') await sql`drop trigger spoils`.execute(db)
  else await sql`drop function spoils cascade`.execute(db)
}

async function* failing(): AsyncGenerator<readonly Row[]> {
  yield []
  throw new Error('The disk is gone')
}

describe('values that PostgreSQL cannot store', () => {
  forEachEngine((target, engine, url) => {
    const audit = { app_id: null, user_id: null, session_id: null, details: '{}', created_at: 1 }

    test.runIf(engine === 'postgres')('rejects text with a NUL and reports the key of its row', async () => {
      const storage = await openStorage(url(), 'write')
      const table = (await readSchema(storage)).tables.find(({ name }) => name === 'audit_log')
      if (!table) throw new Error('no such table')
      const row = { ...audit, id: 'one', event: 'a\0b' }
      const source = async function* () {
        yield [table.columns.map(({ name }) => (name === 'created_at' ? 1n : Object(row)[name]))]
      }
      const filling = { tables: [table], source, what: 'it', beforeCommit: nothing, progress: () => {} }
      await expect(fill(storage, filling)).rejects.toThrow(
        'row_refused: PostgreSQL takes no text with a NUL character. event of the table audit_log has one, in the row with the key id "one".',
      )
      await storage.close()
    })

    test.runIf(engine === 'sqlite')('reads text with a NUL completely', async () => {
      await target()
        .db.insertInto('audit_log')
        .values({ ...audit, id: 'one', event: 'a\0b' })
        .execute()
      const read = await readAll(url(), 'audit_log')
      expect(read.flat()).toContain('a\0b')
    })

    test.runIf(engine === 'sqlite')(
      'rejects a value of another type and reports the key of its row',
      async () => {
        await target()
          .db.insertInto('audit_log')
          .values({ ...audit, id: 'one', event: 'x' })
          .execute()
        await sql`update audit_log set created_at = 1.5`.execute(target().db)
        await expect(readAll(url(), 'audit_log')).rejects.toThrow(
          'row_refused: the table audit_log has a value in created_at that is no integer, in the row with the key id "one".',
        )
      },
    )
  })

  async function readAll(url: string, name: string): Promise<readonly Row[]> {
    const storage = await openStorage(url, 'read')
    try {
      const table = (await readSchema(storage)).tables.find((one) => one.name === name)
      if (!table) throw new Error('no such table')
      const rows: Row[] = []
      for await (const batch of readBatches(storage.db, table)) rows.push(...batch)
      return rows
    } finally {
      await storage.close()
    }
  }
})

describe('serialised rows', () => {
  const table: Table = {
    name: 'things',
    columns: [
      { name: 'count', type: 'integer' },
      { name: 'id', type: 'text' },
    ],
    key: ['id'],
  }

  test('a row survives serialisation to one line', () => {
    const rows: readonly Row[] = [
      [1n, 'one'],
      [-9_223_372_036_854_775_808n, ''],
      [null, null],
      [0n, '12'],
      [7n, 'lines\n\u2028"\0'],
    ]
    for (const row of rows) {
      expect(serializeRow(row)).not.toContain('\n')
      expect(parseRow(serializeRow(row), table)).toEqual(row)
    }
  })

  test.each([
    '',
    '{}',
    '["1"]',
    '["1","a","b"]',
    '[1,"a"]',
    '["a","a"]',
    '["1.5","a"]',
    '["1",2]',
    '["1","a"',
  ])('%s is not parsed as a row', (line) => {
    expect(parseRow(line, table)).toBeUndefined()
  })

  test('the sum is independent of the order and changes with any value', () => {
    const sumRows = (...rows: readonly Row[]) => {
      const { add, sum } = createSum()
      for (const row of rows) add(row)
      return sum()
    }
    expect(sumRows([1n, 'a'], [2n, 'b'])).toEqual(sumRows([2n, 'b'], [1n, 'a']))
    const others = [
      sumRows([2n, 'a'], [1n, 'b']),
      sumRows([1n, 'a'], [2n, 'b'], [2n, 'b']),
      sumRows([1n, 'a'], [2n, null]),
      sumRows([1n, 'a'], [2n, '']),
      sumRows([1n, 'a']),
    ]
    const hashes = [sumRows([1n, 'a'], [2n, 'b']), ...others].map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
