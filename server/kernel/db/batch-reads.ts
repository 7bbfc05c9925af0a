import { databaseLimits } from '../limits.ts'

/**
 * Batches single-row reads: all keys requested in the same event loop turn are read with one statement. For frequent
 * reads outside of transactions.
 */
export function batchReads<Context extends { db: object }, Row>(
  read: (context: Context, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (context: Context, key: string) => Promise<Row | undefined> {
  type Batch = { keys: Set<string>; rows: Promise<ReadonlyMap<string, Row>> }
  const open = new WeakMap<object, Batch>()

  function openBatch(context: Context): Batch {
    const keys = new Set<string>()
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const rows = turn.then(async () => {
      if (open.get(context.db) === batch) open.delete(context.db)
      const rowsRead = await read(context, [...keys])
      return new Map(rowsRead.map((row) => [keyOf(row), row]))
    })
    const batch: Batch = { keys, rows }
    open.set(context.db, batch)
    return batch
  }

  return async (context, key) => {
    const current = open.get(context.db)
    const batch = current && current.keys.size < databaseLimits.batchReadKeys ? current : openBatch(context)
    batch.keys.add(key)
    return (await batch.rows).get(key)
  }
}
