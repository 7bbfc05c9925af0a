/**
 * What has expired goes in small batches, each a transaction of its own, so that nobody waits for them and no table
 * grows with age. A run goes on until nothing is left or its time is over, and rests between batches for as long as
 * they took, up to a limit.
 *
 * Any number of processes may do this at once: on PostgreSQL each takes rows that no other one has in hand, and an
 * embedded database has one writer anyway. A table that fails is left until the next run, the others are not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import { type Clock, nowSeconds, type Reader } from '../ports.ts'
import type { Database, Engine } from './database.ts'
import { withTransaction } from './transaction.ts'

/** What of a table goes; each capability says it of its own tables. */
export type Expiry = TimedExpiry | Surplus

export type TimedExpiry = {
  table: string
  key: readonly string[]
  /** A time that has passed; null has not. */
  column: string
  keptSeconds: number
}
/** What is too much, however young it is, or goes with something else. */
export type Surplus = (reader: Reader, nowSeconds: number) => Promise<readonly Overdue[]>

/** The rows whose `column` is at most this, the least of them first. */
export type Overdue = {
  table: string
  key: readonly string[]
  column: string
  upTo: number
  /** Rows with another value are not meant. */
  where?: { column: string; is: string }
}

type CleanedDatabase = Pick<Database, 'db' | 'engine'>
type Run = { batchRows?: number; signal?: AbortSignal }

export type Cleaned = { rows: number; failures: readonly unknown[] }

export async function cleanUp(
  database: CleanedDatabase,
  clock: Clock,
  expiries: readonly Expiry[],
  { batchRows = databaseLimits.cleanupBatchRows[database.engine], signal }: Run = {},
): Promise<Cleaned> {
  const endAt = performance.now() + databaseLimits.cleanupRunMs
  const failures: unknown[] = []
  let rows = 0
  /** One after the other, so that a large table does not keep the others waiting. */
  const left = new Set<Overdue>()

  for (const expiry of expiries) {
    try {
      for (const overdue of await overdueOf(expiry, database.db, clock)) left.add(overdue)
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
        // Fewer than asked for says nothing: another process had the rest in hand.
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

async function overdueOf(expiry: Expiry, reader: Reader, clock: Clock): Promise<readonly Overdue[]> {
  if (typeof expiry === 'function') return expiry(reader, nowSeconds(clock))
  const { keptSeconds, ...rows } = expiry
  return [{ ...rows, upTo: nowSeconds(clock) - keptSeconds }]
}

type Dialect = {
  /** After the rows that are looked up, where others look some up at the same moment. */
  taking: RawBuilder<unknown>
  /** Before a list of keys. */
  list: RawBuilder<unknown>
}
const dialects: Readonly<Record<Engine, Dialect>> = {
  postgres: { taking: sql`for update skip locked`, list: sql`` },
  sqlite: { taking: sql``, list: sql`values` },
}

/** Looks rows up and locks them, and takes those: each engine knows both statements, and not all know them as one. */
async function deleteBatch(
  { db, engine }: CleanedDatabase,
  { table, key, column, upTo, where }: Overdue,
  rows: number,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const only = where ? sql`and ${sql.ref(where.column)} = ${where.is}` : sql``
  return withTransaction(db, async (trx) => {
    // The number of rows is written out: as a parameter it would be guessed when the statement is planned.
    const overdue = await sql<Readonly<Record<string, unknown>>>`
      select ${keys} from ${sql.table(table)}
      where ${sql.ref(column)} <= ${upTo} ${only}
      order by ${sql.ref(column)} limit ${sql.lit(rows)} ${dialects[engine].taking}`.execute(trx)
    const last = overdue.rows.at(-1)
    if (!last) return 0
    for (let at = 0; at < overdue.rows.length; at += databaseLimits.deleteTogether) {
      // Always as many, so that it is one statement to whoever prepares it.
      const some = Array.from(
        { length: databaseLimits.deleteTogether },
        (_, of) => overdue.rows[at + of] ?? last,
      )
      const named = sql.join(some.map((row) => sql`(${sql.join(key.map((name) => row[name]))})`))
      await sql`delete from ${sql.table(table)} where (${keys}) in (${dialects[engine].list} ${named})`.execute(
        trx,
      )
    }
    return overdue.rows.length
  })
}
