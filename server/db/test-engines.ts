/**
 * Runs store tests on every engine: on SQLite always, on PostgreSQL where TEST_POSTGRES_URL is set.
 *
 *     forEachEngine((database) => {
 *       test('…', async () => { await database().db.selectFrom(…) })
 *     })
 *
 * Each call has a database (SQLite) or a schema (PostgreSQL) of its own; its tables are empty before each test.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { type Database, type Engine, openDatabase } from './database.ts'
import type { Database as Tables } from './schema.ts'

type Place = { readonly url: string; readonly remove: () => Promise<void> }

export function forEachEngine(tests: (database: () => Database, engine: Engine) => void): void {
  describeOn('sqlite', sqlitePlace, tests)
  const postgresUrl = process.env.TEST_POSTGRES_URL
  if (postgresUrl) describeOn('postgres', () => postgresPlace(postgresUrl), tests)
}

function describeOn(
  engine: Engine,
  makePlace: () => Promise<Place>,
  tests: (database: () => Database, engine: Engine) => void,
) {
  describe(`on ${engine}`, () => {
    let place: Place | undefined
    let database: Database | undefined
    const opened = () => {
      if (!database) throw new Error('The database is open only while tests run')
      return database
    }

    beforeAll(async () => {
      place = await makePlace()
      database = openDatabase(place.url)
      await database.migrate()
    })
    beforeEach(() => emptyAllTables(opened()))
    afterAll(async () => {
      await database?.close()
      await place?.remove()
    })

    tests(opened, engine)
  })
}

async function sqlitePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  return {
    url: join(folder, 'test.sqlite'),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresPlace(server: string): Promise<Place> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`create schema ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { url: url.href, remove: () => run(`drop schema ${schema} cascade`) }
}

/** Every table; the compiler notices one that is missing. */
const tables: Readonly<Record<keyof Tables, true>> = {
  apps: true,
  allowlist: true,
  users: true,
  linked_accounts: true,
  sessions: true,
  session_codes: true,
  email_codes: true,
  known_browsers: true,
  attempts: true,
  wallets: true,
  server_keys: true,
  instance: true,
  request_replays: true,
  analytics_events: true,
  audit_log: true,
}

async function emptyAllTables({ transaction }: Database) {
  await transaction(async (trx) => {
    for (const table of Object.keys(tables)) await trx.deleteFrom(table as keyof Tables).execute()
  })
}
