import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { collectMigrations } from '../kernel/capability.ts'
import { ConfigError } from '../kernel/config.ts'
import { cleanUp } from '../kernel/db/cleanup.ts'
import { type Database, openDatabase } from '../kernel/db/database.ts'
import type { Migrations } from '../kernel/db/migrations/migration.ts'
import { forEachEngine, forPostgres } from '../kernel/db/test-engines.ts'
import { isOlder } from '../kernel/release.ts'
import { capabilities } from './capabilities.ts'
import { ensureTables } from './tables.ts'

const ofCapabilities = collectMigrations(capabilities)
const guests: Migrations = {
  'guests/0001': { up: ({ schema }) => schema.createTable('guests').addColumn('id', 'text').execute() },
}
function opened(url: string, migrations: Migrations = {}): Database {
  const database = openDatabase(url, { migrations: { ...ofCapabilities, ...migrations } })
  onTestFinished(() => database.close())
  return database
}

forEachEngine((database, engine, url) => {
  const start = (tables: Database, migratesAtStart: boolean) =>
    ensureTables(tables, { migratesAtStart }, () => {})

  test('migrates SQLite at start, and PostgreSQL only if the operator enabled it', async () => {
    const newer = opened(url(), guests)
    if (engine === 'postgres') {
      const refused = await start(newer, false).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(ConfigError)
      expect(String(refused)).toBe(
        'ConfigError: The database lacks 1 migrations of this release, the first of them guests/0001.\n' +
          'Run "latchkey migrate" first, or set MIGRATE_AT_START=true.',
      )
      expect(await newer.isMigrated()).toBe(false)
    }
    await start(newer, engine === 'postgres')
    expect(await newer.isMigrated()).toBe(true)
    await start(database(), false)
  })

  test('a release does not start if a newer one has removed its tables', async () => {
    const ledger = sql.table(`${product.key}_migrations`)
    await sql`insert into ${ledger} (name, oldest_release, done_at) values ('gone/0001', '99.0.0', '')`.execute(
      database().db,
    )
    onTestFinished(async () => {
      await sql`delete from ${ledger} where name = 'gone/0001'`.execute(database().db)
    })
    await expect(start(database(), true)).rejects.toThrow(
      /^The database requires release 99\.0\.0 or later, and this is \d+\.\d+\.\d+: a later release removed what this one needs\.$/,
    )
  })
})

forPostgres((database, _, url) => {
  test('a server needs only the rights to read and write rows', async () => {
    const { db } = database()
    const role = `server_${crypto.randomUUID().replaceAll('-', '')}`
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
    const schema = sql.ref(rows[0]?.schema ?? '')
    await sql`create role ${sql.ref(role)} login password 'server'`.execute(db)
    await sql`grant usage on schema ${schema} to ${sql.ref(role)}`.execute(db)
    await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${sql.ref(role)}`.execute(
      db,
    )
    onTestFinished(async () => {
      await sql`drop owned by ${sql.ref(role)}`.execute(db)
      await sql`drop role ${sql.ref(role)}`.execute(db)
    })
    const asRole = new URL(url())
    asRole.username = role
    asRole.password = 'server'
    const server = opened(asRole.href)
    await expect(sql`create table more (id text)`.execute(server.db)).rejects.toThrow(/permission denied/)

    await ensureTables(server, { migratesAtStart: false }, () => {})
    await ensureTables(server, { migratesAtStart: true }, () => {})
    await server.transaction((trx) =>
      trx.insertInto('attempts').values({ key: 'a', window_start: 1, count: 1, expires_at: 2 }).execute(),
    )
    const expiryRules = [{ table: 'attempts', key: ['key'], column: 'expires_at', retentionSeconds: 0 }]
    expect(await cleanUp(server, { nowMs: Date.now }, expiryRules)).toEqual({ rows: 1, failures: [] })
  })
})

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
  ['0.2.0', '0.2.0', false],
  ['0.2.0', '0.2.1', true],
])('%s is older than %s: %s', (one, other, is) => {
  expect(isOlder(one, other)).toBe(is)
})
