/**
 * Expired rows go in small batches, each a statement of its own, so that nobody waits for them and no table grows
 * with age. Several processes may do this at once.
 */
import { sql } from 'kysely'
import { databaseLimits } from '../limits.ts'
import { type Clock, type Db, nowSeconds } from '../ports.ts'

/** What of a table goes; each capability says it of its own tables. */
export type Expiry = {
  readonly table: string
  readonly key: readonly string[]
  /** A time that has passed; null has not. */
  readonly column: string
  readonly keptSeconds: number
}

/** Tells how many rows went. What is left after a run's share goes in the next. */
export async function cleanUp(
  db: Db,
  clock: Clock,
  expiries: readonly Expiry[],
  batchRows: number = databaseLimits.cleanupBatchRows,
) {
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
