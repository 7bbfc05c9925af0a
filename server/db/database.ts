/** Opens either engine behind one handle. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { product } from '@latchkey/protocol'
import { Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Db, Trx } from '../ports.ts'
import { migrations } from './migrations/index.ts'
import { postgresDialect } from './postgres.ts'
import type { Database as Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { withTransaction } from './transaction.ts'

export type Engine = 'sqlite' | 'postgres'

export type Database = {
  readonly engine: Engine
  readonly db: Db
  readonly transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  /** Brings the tables up to date. On PostgreSQL under an advisory lock, on SQLite under its write lock. */
  readonly migrate: () => Promise<void>
  readonly isMigrated: () => Promise<boolean>
  readonly close: () => Promise<void>
}

export const engineOf = (url: string): Engine => (/^postgres(ql)?:\/\//.test(url) ? 'postgres' : 'sqlite')

export type DatabaseOptions = {
  /** Beyond the tables of the server, which come first. */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** A connection was lost while nobody used it. */
  readonly onIdleError?: (error: Error) => void
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const engine = engineOf(url)
  const db = new Kysely<Tables>({ dialect: dialectOf(engine, url, options.onIdleError ?? (() => {})) })
  const migrator = async () =>
    new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...migrations, ...options.migrations }) },
      // A capability that is added has a first migration, however many the others have had.
      allowUnorderedMigrations: true,
      migrationTableName: `${product.key}_migration`,
      migrationLockTableName: `${product.key}_migration_lock`,
      ...(engine === 'postgres' && { migrationTableSchema: await currentSchema(db) }),
    })
  return {
    engine,
    db,
    transaction: (work) => withTransaction(db, work),
    async migrate() {
      const { error } = await (await migrator()).migrateToLatest()
      if (error) throw error
    },
    async isMigrated() {
      const known = await (await migrator()).getMigrations()
      return known.every((migration) => migration.executedAt !== undefined)
    },
    close: () => db.destroy(),
  }
}

function dialectOf(engine: Engine, url: string, onIdleError: (error: Error) => void) {
  switch (engine) {
    case 'postgres':
      return postgresDialect(url, onIdleError)
    case 'sqlite':
      mkdirSync(dirname(url), { recursive: true, mode: 0o700 })
      return sqliteDialect(url)
    default:
      return engine satisfies never
  }
}

/** Else tables of the same name in another schema of the database would be taken for ours. */
async function currentSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
  const schema = rows[0]?.schema
  if (!schema) throw new Error('The search path of the PostgreSQL role names no schema that exists')
  return schema
}
