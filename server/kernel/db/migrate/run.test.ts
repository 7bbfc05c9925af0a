import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { capabilities } from '../../../start/capabilities.ts'
import { collectMigrations } from '../../capability.ts'
import { openDatabase } from '../database.ts'
import type { Migrations } from '../migrations/migration.ts'
import { forEachEngine, forPostgres } from '../test-engines.ts'

const ofCapabilities = collectMigrations(capabilities)

function opened(url: string, migrations: Migrations = {}) {
  const database = openDatabase(url, { migrations: { ...ofCapabilities, ...migrations } })
  onTestFinished(() => database.close())
  return database
}

forEachEngine((database, engine, url) => {
  test('ignores migrations of a newer release', async () => {
    const newer = opened(url(), {
      'guests/0001': { up: ({ schema }) => schema.createTable('guests').addColumn('id', 'text').execute() },
      'guests/0002': { up: ({ schema }) => schema.alterTable('apps').addColumn('guest', 'text').execute() },
    })
    expect((await newer.tableState()).missing).toEqual(['guests/0001', 'guests/0002'])
    expect(await newer.isMigrated()).toBe(false)
    const lines: string[] = []
    await newer.migrate((line) => lines.push(line))
    expect(lines).toEqual(['guests/0001', 'guests/0002'])
    expect(await newer.isMigrated()).toBe(true)

    const older = opened(url())
    expect(await older.tableState()).toEqual({ missing: [], oldestReleases: ['0.1.0', '0.1.0'] })
    await older.migrate()
    expect(await newer.isMigrated()).toBe(true)
  })

  test('a contracting migration records the oldest compatible release', async () => {
    const contracting = opened(url(), {
      'apps/0001': { up: ({ schema }) => schema.alterTable('apps').addColumn('spare', 'text').execute() },
      'apps/0002': {
        up: ({ schema }) => schema.alterTable('apps').dropColumn('spare').execute(),
        contracts: '0.7.0',
      },
    })
    await contracting.migrate()
    expect((await database().tableState()).oldestReleases).toContain('0.7.0')
  })

  test('continues an interrupted migration and runs it once', async () => {
    let isFirst = true
    const halfway: Migrations = {
      'halfway/0001': {
        async up({ schema }) {
          await schema.createTable('halfway').addColumn('id', 'text').execute()
          await schema.createIndex('halfway_by_id').on('halfway').column('id').execute()
          if (isFirst) throw new Error('the process was killed')
          await schema.alterTable('halfway').addColumn('name', 'text').execute()
        },
      },
    }
    const stopped = opened(url(), halfway)
    await expect(stopped.migrate()).rejects.toThrow('the process was killed')
    expect((await stopped.tableState()).missing).toEqual(['halfway/0001'])
    isFirst = false
    await stopped.migrate()
    expect((await stopped.tableState()).missing).toEqual([])
    await sql`insert into halfway (id, name) values ('a', 'b')`.execute(stopped.db)
  })

  test('does not repeat migrations that release 0.1.0 has run', async () => {
    const [ledger, ofFirstRelease] = [`${product.key}_migrations`, `${product.key}_migration`].map((name) =>
      sql.table(name),
    )
    const { db } = database()
    await sql`create table ${ofFirstRelease} (name text primary key, timestamp text)`.execute(db)
    await sql`insert into ${ofFirstRelease} (name, timestamp) select name, '' from ${ledger} where name not like 'halfway%'`.execute(
      db,
    )
    await sql`drop table ${ledger}`.execute(db)
    onTestFinished(async () => void (await sql`drop table ${ofFirstRelease}`.execute(db)))
    expect(await database().isMigrated()).toBe(false)
    const lines: string[] = []
    await database().migrate((line) => lines.push(line))
    expect(lines).toEqual([])
    expect(await database().isMigrated()).toBe(true)
    expect(engine).toBe(database().engine)
  })
})

forPostgres((database, _, url) => {
  const lease = sql.table(`${product.key}_migration_lease`)
  const onMore = async (name: string) =>
    opened(url(), {
      [`${name}/0001`]: { up: ({ schema }) => schema.createTable(name).addColumn('id', 'text').execute() },
    })

  test('a second process waits for the lease and takes it over after it expired', async () => {
    const { db } = database()
    await sql`insert into ${lease} (id, holder, until_ms)
      values ('migrations', 'somebody', cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + 60000)`.execute(
      db,
    )
    const waiting = await onMore('waited_for')
    const lines: string[] = []
    let isDone = false
    const migrated = waiting
      .migrate((line) => lines.push(line))
      .then(() => {
        isDone = true
      })
    await sleep(1_500)
    expect(isDone).toBe(false)
    expect(lines).toEqual(['Another process migrates this database. Waiting for it.'])
    await sql`update ${lease} set until_ms = 0`.execute(db)
    await migrated
    expect(lines.at(-1)).toBe('waited_for/0001')
    const { rows } = await sql`select 1 from ${lease}`.execute(db)
    expect(rows).toEqual([])
  })

  test('runs each migration once if many processes start in parallel', async () => {
    const done: string[] = []
    await Promise.all(
      Array.from({ length: 5 }, async () => (await onMore('at_once')).migrate((line) => done.push(line))),
    )
    expect(done.filter((line) => line === 'at_once/0001')).toEqual(['at_once/0001'])
  })

  test('a schema change does not block the users of a table while it waits', async () => {
    const reading = new pg.Client({ connectionString: url() })
    await reading.connect()
    onTestFinished(() => reading.end())
    await reading.query('begin')
    await reading.query('select * from attempts')
    const changing = opened(url(), {
      'attempts/0001': {
        up: ({ schema }) => schema.alterTable('attempts').addColumn('spare', 'text').execute(),
      },
    })
    const migrated = changing.migrate()
    await sleep(300)
    // This insert queues behind the schema change, but not for as long as the reader takes.
    await database()
      .db.insertInto('attempts')
      .values({ key: 'a', window_start: 1, count: 1, expires_at: 2 })
      .execute()
    await reading.query('commit')
    await migrated
    expect(await changing.isMigrated()).toBe(true)
  })

  test('builds an index without blocking writers, and rebuilds an interrupted one', async () => {
    const { db } = database()
    await db
      .insertInto('attempts')
      .values(['a', 'b'].map((key) => ({ key, window_start: 1, count: 1, expires_at: 2 })))
      .execute()
    const statements: string[] = []
    const indexing = opened(url(), {
      'attempts/0002': {
        up: ({ schema }) =>
          schema.createIndex('attempts_once').unique().on('attempts').column('count').execute(),
      },
    })
    const validity = async () => {
      const { rows } = await sql<{ indisvalid: boolean }>`
        select indisvalid from pg_index where indexrelid = to_regclass('attempts_once')`.execute(db)
      return rows.map(({ indisvalid }) => indisvalid)
    }
    // Only a concurrent build leaves an invalid index behind when it fails.
    await expect(indexing.migrate()).rejects.toThrow(/attempts_once/)
    expect(await validity()).toEqual([false])
    await sql`delete from attempts where key = 'b'`.execute(db)
    await indexing.migrate((line) => statements.push(line))
    expect(await validity()).toEqual([true])
    await sql`drop index attempts_once`.execute(db)
  })
})
