/**
 * The clock for timestamps that several machines compare: leases, expiries, windows. It takes the database's time and
 * advances it with the process's monotonic clock, so clock errors and corrections of a machine have no effect.
 */
import { sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import type { Clock, Db } from '../ports.ts'

/** The current time of PostgreSQL, even in a transaction that started earlier. */
export const databaseNowMs = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

export type DatabaseClock = Clock & {
  /** Synchronises with the database again. */
  adjust: () => Promise<void>
}

/** SQLite uses the clock of its machine. */
export async function createDatabaseClock(
  { db, engine }: { db: Db; engine: 'sqlite' | 'postgres' },
  machineClock: Clock,
): Promise<DatabaseClock> {
  if (engine === 'sqlite') return { ...machineClock, adjust: async () => {} }
  /** Database time minus `performance.now()`. */
  let offsetMs: number | undefined

  async function adjust(): Promise<void> {
    const askedAt = performance.now()
    const { rows } = await sql<{ now_ms: number }>`select ${databaseNowMs} as now_ms`.execute(db)
    const answeredAt = performance.now()
    // A slow response is too inaccurate to synchronise with.
    if (offsetMs !== undefined && answeredAt - askedAt > databaseLimits.clockAnswerMs) return
    const nowMs = rows[0]?.now_ms
    if (nowMs === undefined) throw new Error('The database returned no time')
    offsetMs = nowMs - (askedAt + answeredAt) / 2
  }

  await adjust()
  return { adjust, nowMs: () => Math.round((offsetMs ?? 0) + performance.now()) }
}
