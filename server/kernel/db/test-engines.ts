/**
 * Runs tests on a real database: always on SQLite, and on PostgreSQL if TEST_POSTGRES_URL is set.
 *
 *     forEachEngine((database) => {
 *       test('…', async () => { await database().db.selectFrom(…) })
 *     })
 *
 * `forEachEngine` is for tests whose outcome depends on the engine: stores, races, quotas, locks, migrations, backups.
 * `forDefaultEngine` is for all others. They run on PostgreSQL only with TEST_ENGINES=all (`npm run test:all`).
 * A file that has both kinds returns from `forEachEngine` before the others unless `runsAllTests(engine)`.
 *
 * Each call has its own database (SQLite) or schema (PostgreSQL), whose tables are emptied before each test. On
 * PostgreSQL each test worker has its own database, so that no test reads a catalogue entry that another test drops.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { capabilities } from '../../start/capabilities.ts'
import { collectMigrations } from '../capability.ts'
import { type Database, type Engine, openDatabase } from './database.ts'
import type { Migrations } from './migrations/migration.ts'

type Tests = (database: () => Database, engine: Engine, url: () => string) => void

/** Additions for one test file. */
type Added = {
  migrations?: Migrations
}

/** The database or schema of one test file. */
type Storage = {
  url: string
  /** The PostgreSQL schema; undefined on SQLite. */
  schema: string | undefined
  remove: () => Promise<void>
}

/**
 * Whether statements are rolled back at random (`npm run test:serializable`). Tests that count statements skip then.
 */
export const rollsBackAtRandom = process.env.TEST_UNDOES_AT_RANDOM === 'yes'

export function forEachEngine(tests: Tests, added: Added = {}): void {
  forSqlite(tests, added)
  const postgresUrl = process.env.TEST_POSTGRES_URL
  if (postgresUrl) describeOn('postgres', () => postgresSchema(postgresUrl), tests, added)
}

/** Runs on SQLite. With TEST_ENGINES=all, runs on PostgreSQL too. */
export const forDefaultEngine: typeof forEachEngine =
  process.env.TEST_ENGINES === 'all' ? forEachEngine : forSqlite

/** Returns whether tests run on this engine that send it no statement of their own. */
export const runsAllTests = (engine: Engine): boolean =>
  engine === 'sqlite' || process.env.TEST_ENGINES === 'all'

function forSqlite(tests: Tests, added: Added = {}): void {
  describeOn('sqlite', sqliteFile, tests, added)
}

/** Runs on PostgreSQL only, for behaviour that an embedded engine lacks. Skipped if TEST_POSTGRES_URL is not set. */
export function forPostgres(tests: Tests): void {
  const postgresUrl = process.env.TEST_POSTGRES_URL
  if (postgresUrl) describeOn('postgres', () => postgresSchema(postgresUrl), tests, {})
}

function describeOn(engine: Engine, make: () => Promise<Storage>, tests: Tests, added: Added) {
  describe(`on ${engine}`, () => {
    let storage: Storage | undefined
    let database: Database | undefined
    let tables: readonly string[] = []
    const whileOpen = <Value>(value: Value | undefined): Value => {
      if (value === undefined) throw new Error('The database is open only while tests run')
      return value
    }

    beforeAll(async () => {
      storage = await make()
      database = openDatabase(storage.url, {
        migrations: { ...collectMigrations(capabilities), ...added.migrations },
      })
      await database.migrate()
      tables = await listTables(database, storage)
    })
    beforeEach(() => emptyAllTables(whileOpen(database), tables))
    afterAll(async () => {
      await database?.close()
      await storage?.remove()
    })

    tests(
      () => whileOpen(database),
      engine,
      () => whileOpen(storage).url,
    )
  })
}

async function sqliteFile(): Promise<Storage> {
  migratedFile ??= migrateSqliteFile()
  const { file, remove } = newSqliteFile()
  writeFileSync(file, await migratedFile, { mode: 0o600 })
  return { url: file, schema: undefined, remove: async () => remove() }
}

let migratedFile: ReturnType<typeof migrateSqliteFile> | undefined
/** Runs the migrations once per worker. They take 50 times as long as a copy of the file. */
async function migrateSqliteFile(): Promise<Buffer> {
  const { file, remove } = newSqliteFile()
  try {
    const database = openDatabase(file, { migrations: collectMigrations(capabilities) })
    await database.migrate()
    await database.close()
    return readFileSync(file)
  } finally {
    remove()
  }
}

function newSqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  return {
    file: join(folder, 'test.sqlite'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresSchema(server: string): Promise<Storage> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  const database = await databaseOfWorker(server)
  await runOn(database, `create schema ${schema}`)
  const url = new URL(database)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { url: url.href, schema, remove: () => runOn(database, `drop schema ${schema} cascade`) }
}

/** Creates the worker's database for the first file that it runs. A worker runs one file at a time. */
async function databaseOfWorker(server: string): Promise<string> {
  const name = `worker_${process.env.VITEST_POOL_ID ?? 'alone'}`
  await runOn(server, `create database ${name}`).catch((error) => {
    if (Object(error).code !== duplicateDatabase) throw error
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
const duplicateDatabase = '42P04'

async function runOn(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Empties every table except those of the migrations. */
async function emptyAllTables({ db, engine, transaction }: Database, tables: readonly string[]) {
  const statements = tables.map((table) => `delete from "${table}"`)
  // PostgreSQL accepts all statements in one query.
  if (engine === 'postgres') await sql.raw(statements.join('; ')).execute(db)
  else {
    await transaction(async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx)
    })
  }
}

async function listTables({ db }: Database, { schema }: Storage): Promise<readonly string[]> {
  const allTables = await db.introspection.getTables()
  return allTables
    .filter((table) => table.schema === schema && !table.name.startsWith(`${product.key}_migration`))
    .map(({ name }) => name)
}
