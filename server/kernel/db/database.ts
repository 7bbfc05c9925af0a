/** Opens either engine behind one handle. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { product } from '@latchkey/protocol'
import { type Dialect, Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import type { Db, Trx } from '../ports.ts'
import { measuredQueries } from './measured.ts'
import { migrations } from './migrations/index.ts'
import type { PostgresOptions } from './postgres-pool.ts'
import type { Database as Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { withTransaction } from './transaction.ts'

/** Kysely on PostgreSQL. What speaks to it is loaded with the first connection: a process on SQLite never does. */
const postgresDialect = (options: PostgresOptions): Dialect =>
  new PostgresDialect({ pool: async () => (await import('./postgres-pool.ts')).openPool(options) })

export type Engine = 'sqlite' | 'postgres'

export type Database = {
  readonly engine: Engine
  readonly db: Db
  readonly transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  /** Brings the tables up to date, without a deadline. On PostgreSQL under an advisory lock, on SQLite under its write lock. */
  readonly migrate: () => Promise<void>
  /** One read, which takes no lock and waits for no writer. */
  readonly isMigrated: () => Promise<boolean>
  readonly close: () => Promise<void>
}

export const engineOf = (url: string): Engine => (/^postgres(ql)?:\/\//.test(url) ? 'postgres' : 'sqlite')

export type DatabaseOptions = {
  /** Beyond the tables of the server, which come first. */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** How many this process may hold to PostgreSQL. */
  readonly connections?: number
  /** A connection to PostgreSQL was lost; whoever used it is told too. */
  readonly onLost?: (error: Error) => void
}

const migrationTable = `${product.key}_migration`

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const engine = engineOf(url)
  const db = new Kysely<Tables>({ dialect: dialectOf(engine, url, options), ...measuredQueries(engine) })
  const known = { ...migrations, ...options.migrations }

  async function migrateWith(using: Db): Promise<void> {
    const migrator = new Migrator({
      db: using,
      provider: { getMigrations: async () => known },
      // A capability that is added has a first migration, however many the others have had.
      allowUnorderedMigrations: true,
      migrationTableName: migrationTable,
      migrationLockTableName: `${migrationTable}_lock`,
      ...(engine === 'postgres' && { migrationTableSchema: await currentSchema(using) }),
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  }

  return {
    engine,
    db,
    transaction: (work) => withTransaction(db, work),
    async migrate() {
      if (engine === 'sqlite') return migrateWith(db)
      const own = new Kysely<Tables>({ dialect: postgresDialect(migrationOptions(url)) })
      try {
        await migrateWith(own)
      } finally {
        await own.destroy()
      }
    },
    async isMigrated() {
      const rows = await db
        .withTables<{ [migrationTable]: { name: string } }>()
        .selectFrom(migrationTable)
        .select('name')
        .execute()
      const done = new Set(rows.map((row) => row.name))
      return Object.keys(known).every((name) => done.has(name))
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

/** A connection of its own, because it may take as long as it takes. */
const migrationOptions = (url: string): PostgresOptions => ({
  url,
  connections: 1,
  statementDeadlineMs: 'none',
  onLost: () => {},
})

/** Names the schema, since tables of the same name in another schema of the database would be taken for ours. */
async function currentSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
  const schema = rows[0]?.schema
  if (!schema) throw new Error('The search path of the PostgreSQL role names no schema that exists')
  return schema
}
