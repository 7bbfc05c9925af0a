/**
 * The time by which everything is written that several machines compare: leases, expiries, windows. It is that of their
 * database, carried on by what has passed in this process since it was asked, so that neither the clock of a machine nor
 * a correction of it counts.
 */
import { sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import type { Clock, Db } from '../ports.ts'

/** The time of PostgreSQL at this moment, also in a transaction that began before. */
export const databaseNowMs = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

export type DatabaseClock = Clock & {
  /** Asks the database for its time once more. */
  adjust: () => Promise<void>
}

/** An embedded database has no clock but that of its machine. */
export async function createDatabaseClock(
  { db, engine }: { db: Db; engine: 'sqlite' | 'postgres' },
  ofMachine: Clock,
): Promise<DatabaseClock> {
  if (engine === 'sqlite') return { ...ofMachine, adjust: async () => {} }
  /** What the database said, less what `performance.now()` said at that moment. */
  let offsetMs: number | undefined

  async function adjust(): Promise<void> {
    const askedAt = performance.now()
    const { rows } = await sql<{ now_ms: number }>`select ${databaseNowMs} as now_ms`.execute(db)
    const answeredAt = performance.now()
    // An answer that took long says little of when it was given.
    if (offsetMs !== undefined && answeredAt - askedAt > databaseLimits.clockAnswerMs) return
    const nowMs = rows[0]?.now_ms
    if (nowMs === undefined) throw new Error('The database did not say what time it is')
    offsetMs = nowMs - (askedAt + answeredAt) / 2
  }

  await adjust()
  return { adjust, nowMs: () => Math.round((offsetMs ?? 0) + performance.now()) }
}
