/** Opens either engine behind one handle. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import { databaseLimits } from '../limits.ts'
import type { Db, Trx } from '../ports.ts'
import { measuredQueries } from './measured.ts'
import { missingOf, readLedger } from './migrate/ledger.ts'
import { migratePostgres, migrateSqlite, type Say } from './migrate/run.ts'
import { migrations } from './migrations/index.ts'
import type { Migrations } from './migrations/migration.ts'
import type { PostgresOptions } from './postgres-pool.ts'
import type { Database as Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { withTransaction } from './transaction.ts'

/** Kysely on PostgreSQL. What speaks to it is loaded with the first connection: a process on SQLite never does. */
const postgresDialect = (options: PostgresOptions): Dialect =>
  new PostgresDialect({ pool: async () => (await import('./postgres-pool.ts')).openPool(options) })

export type Engine = 'sqlite' | 'postgres'

export type Database = {
  engine: Engine
  db: Db
  transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  /** Brings the tables up to date, without a deadline. Several processes may ask for it at once. */
  migrate: (say?: Say) => Promise<void>
  /** One read, which takes no lock and waits for no writer. */
  isMigrated: () => Promise<boolean>
  /** What this release needs of the tables and does not find, and which releases they have left behind. */
  tableState: () => Promise<TableState>
  close: () => Promise<void>
}

export type TableState = {
  /** The names of migrations that the database has not had. */
  missing: readonly string[]
  /** Releases before these do not work with this database any more. */
  oldestReleases: readonly string[]
}

export const engineOf = (url: string): Engine => (/^postgres(ql)?:\/\//.test(url) ? 'postgres' : 'sqlite')

export type DatabaseOptions = {
  /** Beyond the tables of the server, which come first. */
  migrations?: Migrations
  /** How many this process may hold to PostgreSQL. */
  connections?: number
  /** Whether a pooler in transaction mode stands before PostgreSQL. */
  isPooled?: boolean
  /** A connection to PostgreSQL was lost; whoever used it is told too. */
  onLost?: (error: Error) => void
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const engine = engineOf(url)
  const db = new Kysely<Tables>({ dialect: dialectOf(engine, url, options), ...measuredQueries(engine) })
  const known = { ...migrations, ...options.migrations }

  return {
    engine,
    db,
    transaction: (work) => withTransaction(db, work),
    async migrate(say = () => {}) {
      if (engine === 'sqlite') return migrateSqlite(db, known, say)
      const own = new Kysely<Tables>({ dialect: postgresDialect(migrationOptions(url, options)) })
      try {
        await migratePostgres(own, known, say)
      } finally {
        await own.destroy()
      }
    },
    isMigrated: async () => missingOf(known, await readLedger(db)).length === 0,
    async tableState() {
      const done = await readLedger(db)
      return { missing: missingOf(known, done), oldestReleases: done?.oldestReleases ?? [] }
    },
    close: () => db.destroy(),
  }
}

function dialectOf(engine: Engine, url: string, options: DatabaseOptions) {
  switch (engine) {
    case 'postgres':
      return postgresDialect({
        url,
        connections: options.connections ?? databaseLimits.postgresConnections,
        isPooled: options.isPooled ?? false,
        statementDeadlineMs: databaseLimits.transactionDeadlineMs,
        onLost: options.onLost ?? (() => {}),
      })
    case 'sqlite':
      mkdirSync(dirname(url), { recursive: true, mode: 0o700 })
      return sqliteDialect(url)
    default:
      return engine satisfies never
  }
}

/** Connections of its own, because it may take as long as it takes: one for the statements, one to keep the lease. */
const migrationOptions = (url: string, { isPooled = false }: DatabaseOptions): PostgresOptions => ({
  url,
  isPooled,
  connections: 2,
  statementDeadlineMs: 'none',
  onLost: () => {},
})
