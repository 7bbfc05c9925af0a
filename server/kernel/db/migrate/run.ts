/**
 * Runs missing migrations.
 *
 * On SQLite each migration is a transaction. On PostgreSQL each statement is one. That keeps locks short, works on
 * engines without transactional DDL, and lets the next process continue after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type RootOperationNode, sql } from 'kysely'
import { databaseLimits, migrationLimits } from '../../limits.ts'
import type { Db } from '../../ports.ts'
import { isRetryable } from '../failures.ts'
import type { Migration, Migrations } from '../migrations/migration.ts'
import { acquireLease, type Lease } from './lease.ts'
import { findMissing, openLedger, readLedger, recordMigration } from './ledger.ts'
import { createStatementKysely } from './statements.ts'

/** Receives progress messages, one line each. */
export type ReportProgress = (line: string) => void

export async function migrateSqlite(db: Db, known: Migrations, say: ReportProgress): Promise<void> {
  if (findMissing(known, await readLedger(db)).length === 0) return
  await db.transaction().execute(openLedger)
  for (const [name, migration] of Object.entries(known)) {
    await db.transaction().execute(async (trx) => {
      // The transaction holds the write lock, so another process has either finished this migration or waits.
      if (findMissing({ [name]: migration }, await readLedger(trx)).length === 0) return
      say(name)
      await migration.up(trx)
      await recordMigration(trx, name, migration)
    })
  }
}

export async function migratePostgres(db: Db, known: Migrations, say: ReportProgress): Promise<void> {
  await assertSchema(db)
  if (findMissing(known, await readLedger(db)).length === 0) return
  const lease = await acquireLease(db, () => say('Another process migrates this database. Waiting for it.'))
  try {
    for (const name of findMissing(known, await openLedger(db))) {
      const migration = known[name]
      if (!migration) throw new Error(`Unknown migration ${name}`)
      say(name)
      await runStatements(db, migration, lease)
      lease.check()
      await recordMigration(db, name, migration)
    }
  } finally {
    await lease.release()
  }
}

async function runStatements(db: Db, { up }: Migration, lease: Lease): Promise<void> {
  const newTables = new Set<string>()
  await up(
    createStatementKysely(async (statement) => {
      lease.check()
      const { query } = statement
      if (query.kind === 'CreateTableNode') newTables.add(query.table.table.identifier.name)
      if (query.kind === 'CreateIndexNode' && !newTables.has(query.table?.table.identifier.name ?? '')) {
        await dropInvalidIndex(db, query.name.name)
        return db.executeQuery(toConcurrentIndex(statement))
      }
      return changesSchema(query) ? withLockTimeout(db, statement) : db.executeQuery(statement)
    }),
  )
}

const changesSchema = ({ kind }: RootOperationNode) => /^(?:Create|Alter|Drop)/.test(kind)

/** Builds the index without blocking writers. PostgreSQL does not allow that in a transaction. */
const toConcurrentIndex = ({ sql: text, parameters }: CompiledQuery) =>
  CompiledQuery.raw(text.replace(/^create (unique )?index /, 'create $1index concurrently '), [...parameters])

/** Drops the invalid index that an interrupted build leaves behind. */
async function dropInvalidIndex(db: Db, name: string): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_index join pg_class on pg_class.oid = pg_index.indexrelid
    where pg_class.relname = ${name} and not pg_index.indisvalid
      and pg_class.relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db)
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
}

/** Waits briefly for the table lock. On a timeout it lets queued queries run first and retries. */
async function withLockTimeout(db: Db, statement: CompiledQuery) {
  const deadlineAt = performance.now() + migrationLimits.lockDeadlineMs
  for (let pauseMs: number = databaseLimits.retryFirstDelayMs; ; pauseMs *= 2) {
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = ${sql.lit(migrationLimits.lockTimeoutMs)}`.execute(trx)
        return trx.executeQuery(statement)
      })
    } catch (error) {
      if (!isRetryable(error) || performance.now() > deadlineAt) throw error
    }
    await sleep(Math.min(pauseMs, migrationLimits.retryLockMs))
  }
}

/** Throws if the search path has no schema: tables are created in its first one. */
async function assertSchema(db: Db): Promise<void> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
  if (!rows[0]?.schema) throw new Error('The search path of the PostgreSQL role names no schema that exists')
}
