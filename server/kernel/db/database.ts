/** Opens an SQLite or PostgreSQL database behind one interface. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import { databaseLimits } from '../limits.ts'
import type { Db, Trx } from '../ports.ts'
import { queryMetrics } from './database-metrics.ts'
import { findMissing, readLedger } from './migrate/ledger.ts'
import { migratePostgres, migrateSqlite, type ReportProgress } from './migrate/run.ts'
import { migrations } from './migrations/index.ts'
import type { Migrations } from './migrations/migration.ts'
import type { PostgresOptions } from './postgres-pool.ts'
import type { Database as Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { withTransaction } from './transaction.ts'

/** Kysely on PostgreSQL. The driver is loaded with the first connection, so a process on SQLite never loads it. */
const postgresDialect = (options: PostgresOptions): Dialect =>
  new PostgresDialect({ pool: async () => (await import('./postgres-pool.ts')).openPool(options) })

export type Engine = 'sqlite' | 'postgres'

export type Database = {
  engine: Engine
  db: Db
  transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  /** Runs the missing migrations, without a deadline. Several processes may call it in parallel. */
  migrate: (say?: ReportProgress) => Promise<void>
  /** A single read without locks. */
  isMigrated: () => Promise<boolean>
  /** Returns the missing migrations and the oldest releases that still work with the database. */
  tableState: () => Promise<TableState>
  close: () => Promise<void>
}

export type TableState = {
  /** Names of migrations that have not run on the database. */
  missing: readonly string[]
  /** Releases older than these no longer work with the database. */
  oldestReleases: readonly string[]
}

export const parseEngine = (url: string): Engine => (/^postgres(ql)?:\/\//.test(url) ? 'postgres' : 'sqlite')

export type DatabaseOptions = {
  /** Migrations of capabilities. They run after those of the server. */
  migrations?: Migrations
  /** Maximum number of PostgreSQL connections of this process. */
  connections?: number
  /** Whether PostgreSQL is behind a pooler in transaction mode. */
  isPooled?: boolean
  /** Called when a PostgreSQL connection is lost. The query that used it fails as well. */
  onLost?: (error: Error) => void
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const engine = parseEngine(url)
  const db = new Kysely<Tables>({ dialect: createDialect(engine, url, options), ...queryMetrics(engine) })
  const allMigrations = { ...migrations, ...options.migrations }

  return {
    engine,
    db,
    transaction: (work) => withTransaction(db, work),
    async migrate(say = () => {}) {
      if (engine === 'sqlite') return migrateSqlite(db, allMigrations, say)
      const own = new Kysely<Tables>({ dialect: postgresDialect(migrationOptions(url, options)) })
      try {
        await migratePostgres(own, allMigrations, say)
      } finally {
        await own.destroy()
      }
    },
    isMigrated: async () => findMissing(allMigrations, await readLedger(db)).length === 0,
    async tableState() {
      const done = await readLedger(db)
      return { missing: findMissing(allMigrations, done), oldestReleases: done?.oldestReleases ?? [] }
    },
    close: () => db.destroy(),
  }
}

function createDialect(engine: Engine, url: string, options: DatabaseOptions) {
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

/** Separate connections without a deadline: one for the statements, one to renew the lease. */
const migrationOptions = (url: string, { isPooled = false }: DatabaseOptions): PostgresOptions => ({
  url,
  isPooled,
  connections: 2,
  statementDeadlineMs: 'none',
  onLost: () => {},
})
