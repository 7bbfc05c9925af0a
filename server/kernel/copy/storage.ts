/**
 * A database connection for copying whole tables. Its transactions have no deadline, unlike those of the server, and it
 * returns all integers as bigint to keep 64 bits.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Dialect, Kysely, PostgresDialect, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import { type Engine, parseEngine } from '../db/database.ts'
import type { Database as Tables } from '../db/schema.ts'
import { databaseLimits } from '../limits.ts'
import type { Db } from '../ports.ts'
import { copyLimits } from './limits.ts'
import { CopyRefusal } from './refusal.ts'

export type Storage = {
  engine: Engine
  /** A single connection. It returns bigint where the table types declare number. */
  db: Db
  close: () => Promise<void>
}

type Use = 'read' | 'write'

/** Returns whether the database can be opened. Does not create a missing SQLite file. */
export const databaseExists = (url: string): boolean => parseEngine(url) === 'postgres' || existsSync(url)

export async function openStorage(url: string, use: Use): Promise<Storage> {
  if (!databaseExists(url)) throw new CopyRefusal('database_not_found', `the database ${url} does not exist.`)
  const engine = parseEngine(url)
  const db = new Kysely<Tables>({ dialect: engine === 'postgres' ? postgres(url) : sqlite(url, use) })
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    await db.destroy().catch(() => {})
    const why = error instanceof Error ? error.message || Object(error).code : error
    throw new CopyRefusal('database_unreachable', `${formatDatabaseUrl(url)} cannot be opened: ${why}`)
  }
  return { engine, db, close: () => db.destroy() }
}

/** Returns the address without its credentials. */
export function formatDatabaseUrl(url: string): string {
  if (parseEngine(url) === 'sqlite') return url
  const { hostname, port, pathname } = URL.parse(url) ?? { hostname: '', port: '', pathname: '' }
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

const postgres = (url: string): Dialect =>
  new PostgresDialect({
    pool: async () => {
      const { default: pg } = await import('pg')
      const { INT2, INT4, INT8 } = pg.types.builtins
      const integers: ReadonlySet<number> = new Set([INT2, INT4, INT8])
      const pool = new pg.Pool({
        connectionString: url,
        max: 1,
        connectionTimeoutMillis: databaseLimits.postgresConnectMs,
        keepAlive: true,
        types: {
          getTypeParser: (oid: number) => (integers.has(oid) ? BigInt : pg.types.getTypeParser(oid, 'text')),
        },
      })
      // An `error` event without a listener ends the process. The user of the connection receives the error as well.
      pool.on('connect', (client) => client.on('error', () => {}))
      pool.on('error', () => {})
      return pool
    },
  })

const sqlite = (path: string, use: Use): Dialect =>
  new SqliteDialect({
    database: async () => {
      const database = new DatabaseSync(path, {
        readOnly: use === 'read',
        timeout: copyLimits.sqliteBusyMs,
      })
      if (use === 'write') database.exec('PRAGMA synchronous = FULL')
      return adaptToKysely(database)
    },
  })

/** Adapts node:sqlite to Kysely, which needs to know whether a statement returns rows. */
const adaptToKysely = (database: DatabaseSync): SqliteDatabase => ({
  close: () => database.close(),
  prepare(text) {
    const statement = database.prepare(text)
    statement.setReadBigInts(true)
    const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...values(parameters)),
      run: (parameters) => statement.run(...values(parameters)),
      iterate: (parameters) => statement.iterate(...values(parameters)),
    }
  },
})

/** Runs the work on a consistent snapshot. Concurrent writes do not affect it. */
export const inSnapshot = <Result>(
  storage: Storage,
  work: (reader: Db) => Promise<Result>,
): Promise<Result> =>
  inTransaction(
    storage,
    { sqlite: 'begin', postgres: 'begin isolation level repeatable read read only' },
    async (reader) => ({ result: await work(reader), commits: true }),
  )

/** Runs the work in one durable transaction: an interrupted process or a power failure leaves nothing of it. */
export const allOrNothing = <Result>(
  storage: Storage,
  work: (writer: Db) => Promise<{ result: Result; commits: boolean }>,
): Promise<Result> => inTransaction(storage, { sqlite: 'begin immediate', postgres: 'begin' }, work)

/** Disables the deadlines that a role may have for the servers' statements. */
const withoutDeadlines = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
]

async function inTransaction<Result>(
  { engine, db }: Storage,
  begin: Readonly<Record<Engine, string>>,
  work: (db: Db) => Promise<{ result: Result; commits: boolean }>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    const run = (statement: string) => sql.raw(statement).execute(connection)
    await run(begin[engine])
    try {
      if (engine === 'postgres') for (const statement of withoutDeadlines) await run(statement)
      const { result, commits } = await work(connection)
      await run(commits ? 'commit' : 'rollback')
      return result
    } catch (error) {
      // If the connection is lost, the database has rolled back already.
      await run('rollback').catch(() => {})
      throw error
    }
  })
}
