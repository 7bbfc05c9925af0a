/**
 * What has expired goes in small batches, each a statement of its own, so that nobody waits for them and no table
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

/** What of a table goes; each capability says it of its own tables. */
export type Expiry = TimedExpiry | Surplus

export type TimedExpiry = {
  readonly table: string
  readonly key: readonly string[]
  /** A time that has passed; null has not. */
  readonly column: string
  readonly keptSeconds: number
}
/** What is too much, however young it is, or goes with something else. */
export type Surplus = (reader: Reader, nowSeconds: number) => Promise<readonly Overdue[]>

/** The rows whose `column` is at most this, the least of them first. */
export type Overdue = {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  readonly upTo: number
  /** Rows with another value are not meant. */
  readonly where?: { readonly column: string; readonly is: string }
}

type Run = { readonly batchRows?: number; readonly signal?: AbortSignal }

export type Cleaned = { readonly rows: number; readonly failures: readonly unknown[] }

export async function cleanUp(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  clock: Clock,
  expiries: readonly Expiry[],
  { batchRows = databaseLimits.cleanupBatchRows[engine], signal }: Run = {},
): Promise<Cleaned> {
  const endAt = performance.now() + databaseLimits.cleanupRunMs
  const failures: unknown[] = []
  let rows = 0
  /** One after the other, so that a large table does not keep the others waiting. */
  const left = new Set<Overdue>()

  for (const expiry of expiries) {
    try {
      for (const overdue of await overdueOf(expiry, db, clock)) left.add(overdue)
    } catch (error) {
      failures.push(error)
    }
  }
  while (left.size > 0) {
    for (const overdue of left) {
      if (signal?.aborted || performance.now() >= endAt) return { rows, failures }
      const startedAt = performance.now()
      try {
        const deleted = await deleteBatch(db, engine, overdue, batchRows)
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

/** A row that was renewed while it was looked for is looked at again under its lock, and stays. */
const taking: Readonly<Record<Engine, RawBuilder<unknown>>> = {
  postgres: sql`for update skip locked`,
  sqlite: sql``,
}

async function deleteBatch(
  reader: Reader,
  engine: Engine,
  { table, key, column, upTo, where }: Overdue,
  rows: number,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const only = where ? sql`and ${sql.ref(where.column)} = ${where.is}` : sql``
  // The number of rows is written out: as a parameter it would be guessed when the statement is planned.
  const { numAffectedRows } = await sql`
    with overdue as (
      select ${keys} from ${sql.table(table)}
      where ${sql.ref(column)} <= ${upTo} ${only}
      order by ${sql.ref(column)} limit ${sql.lit(rows)} ${taking[engine]}
    )
    delete from ${sql.table(table)} where (${keys}) in (select ${keys} from overdue)`.execute(reader)
  return Number(numAffectedRows ?? 0)
}
