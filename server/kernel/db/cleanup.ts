/**
 * Deletes expired rows in small batches, each in its own transaction, so that calls are not blocked. A run ends when no
 * rows are left or its time is over. It rests between batches for as long as they took, up to a limit.
 *
 * Any number of processes may run it in parallel: PostgreSQL skips rows that another process has locked, and SQLite has
 * one writer anyway. If a table fails, the run skips it and continues with the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import { type Clock, nowSeconds, type Reader } from '../ports.ts'
import type { Database, Engine } from './database.ts'
import { withTransaction } from './transaction.ts'

/** An expiry rule. Each capability declares those of its tables. */
export type ExpiryRule = TimedExpiryRule | SurplusRule

export type TimedExpiryRule = {
  table: string
  key: readonly string[]
  /** A column with a time. Rows are deleted `retentionSeconds` after it; null is never deleted. */
  column: string
  retentionSeconds: number
}
/** Finds rows to delete by other criteria than their age: those above a limit, or those that depend on other rows. */
export type SurplusRule = (reader: Reader, nowSeconds: number) => Promise<readonly OverdueRows[]>

/** Rows with a `column` of at most `upTo`, in ascending order. */
export type OverdueRows = {
  table: string
  key: readonly string[]
  column: string
  upTo: number
  /** Restricts the rule to rows with this value. */
  where?: { column: string; is: string }
}

type CleanedDatabase = Pick<Database, 'db' | 'engine'>
type Run = { batchRows?: number; signal?: AbortSignal }

export type CleanupResult = { rows: number; failures: readonly unknown[] }

export async function cleanUp(
  database: CleanedDatabase,
  clock: Clock,
  expiryRules: readonly ExpiryRule[],
  { batchRows = databaseLimits.cleanupBatchRows[database.engine], signal }: Run = {},
): Promise<CleanupResult> {
  const endAt = performance.now() + databaseLimits.cleanupRunMs
  const failures: unknown[] = []
  let rows = 0
  /** Processed round-robin, so that a large table does not delay the others. */
  const left = new Set<OverdueRows>()

  for (const expiry of expiryRules) {
    try {
      for (const overdue of await findOverdue(expiry, database.db, clock)) left.add(overdue)
    } catch (error) {
      failures.push(error)
    }
  }
  while (left.size > 0) {
    for (const overdue of left) {
      if (signal?.aborted || performance.now() >= endAt) return { rows, failures }
      const startedAt = performance.now()
      try {
        const deleted = await deleteBatch(database, overdue, batchRows)
        rows += deleted
        // A smaller number does not mean that the table is done: another process may have locked the other rows.
        if (deleted === 0) left.delete(overdue)
      } catch (error) {
        failures.push(error)
        left.delete(overdue)
      }
      await sleep(Math.min(performance.now() - startedAt, databaseLimits.cleanupLongestRestMs))
    }
  }
  return { rows, failures }
}

async function findOverdue(
  expiry: ExpiryRule,
  reader: Reader,
  clock: Clock,
): Promise<readonly OverdueRows[]> {
  if (typeof expiry === 'function') return expiry(reader, nowSeconds(clock))
  const { retentionSeconds, ...rows } = expiry
  return [{ ...rows, upTo: nowSeconds(clock) - retentionSeconds }]
}

type Dialect = {
  /** Appended to the select, to lock the rows. */
  taking: RawBuilder<unknown>
  /** Precedes the list of keys. */
  list: RawBuilder<unknown>
}
const dialects: Readonly<Record<Engine, Dialect>> = {
  postgres: { taking: sql`for update skip locked`, list: sql`` },
  sqlite: { taking: sql``, list: sql`values` },
}

/** Selects and locks rows, then deletes them. Two statements, because not every engine supports both in one. */
async function deleteBatch(
  { db, engine }: CleanedDatabase,
  { table, key, column, upTo, where }: OverdueRows,
  rows: number,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const only = where ? sql`and ${sql.ref(where.column)} = ${where.is}` : sql``
  return withTransaction(db, async (trx) => {
    // The limit is a literal: with a parameter, the planner would have to guess it.
    const overdue = await sql<Readonly<Record<string, unknown>>>`
      select ${keys} from ${sql.table(table)}
      where ${sql.ref(column)} <= ${upTo} ${only}
      order by ${sql.ref(column)} limit ${sql.lit(rows)} ${dialects[engine].taking}`.execute(trx)
    const last = overdue.rows.at(-1)
    if (!last) return 0
    for (let at = 0; at < overdue.rows.length; at += databaseLimits.deleteStatementRows) {
      // Always the same number of keys, so that it is one prepared statement.
      const some = Array.from(
        { length: databaseLimits.deleteStatementRows },
        (_, of) => overdue.rows[at + of] ?? last,
      )
      const keyValues = sql.join(some.map((row) => sql`(${sql.join(key.map((name) => row[name]))})`))
      await sql`delete from ${sql.table(table)} where (${keys}) in (${dialects[engine].list} ${keyValues})`.execute(
        trx,
      )
    }
    return overdue.rows.length
  })
}
