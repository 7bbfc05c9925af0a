/**
 * Expired rows go in small batches, each a statement of its own, so that nobody waits for them and no table grows
 * with age. Several processes may do this at once.
 */
import { sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import { type Clock, type Db, nowSeconds } from '../ports.ts'
import type { Database } from './schema.ts'

type Expiry = {
  readonly table: keyof Database
  readonly key: readonly string[]
  /** A time that has passed; null has not. */
  readonly column: string
  readonly keptSeconds: number
}

const expiries: readonly Expiry[] = [
  { table: 'attempts', key: ['key'], column: 'expires_at', keptSeconds: 0 },
  { table: 'request_replays', key: ['app_id', 'request_id'], column: 'expires_at', keptSeconds: 0 },
  { table: 'email_codes', key: ['app_id', 'address', 'binding'], column: 'expires_at', keptSeconds: 0 },
  { table: 'session_codes', key: ['code_hash'], column: 'expires_at', keptSeconds: 0 },
  { table: 'sessions', key: ['id'], column: 'expires_at', keptSeconds: databaseLimits.endedSessionSeconds },
  { table: 'sessions', key: ['id'], column: 'revoked_at', keptSeconds: databaseLimits.endedSessionSeconds },
  {
    table: 'known_browsers',
    key: ['app_id', 'identifier', 'binding'],
    column: 'last_seen_at',
    keptSeconds: databaseLimits.knownBrowserSeconds,
  },
  {
    table: 'analytics_events',
    key: ['id'],
    column: 'created_at',
    keptSeconds: databaseLimits.analyticsSeconds,
  },
  { table: 'audit_log', key: ['id'], column: 'created_at', keptSeconds: databaseLimits.auditSeconds },
]

/** Tells how many rows went. What is left after a run's share goes in the next. */
export async function cleanUp(db: Db, clock: Clock, batchRows: number = databaseLimits.cleanupBatchRows) {
  let deleted = 0
  for (const expiry of expiries) {
    for (let batch = 0; batch < databaseLimits.cleanupBatchesPerRun; batch += 1) {
      const rows = await deleteBatch(db, expiry, nowSeconds(clock) - expiry.keptSeconds, batchRows)
      deleted += rows
      if (rows < batchRows) break
    }
  }
  return deleted
}

async function deleteBatch(
  db: Db,
  { table, key, column }: Expiry,
  before: number,
  rows: number,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${keys}) in (
      select ${keys} from ${sql.table(table)} where ${sql.ref(column)} <= ${before} limit ${rows}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
