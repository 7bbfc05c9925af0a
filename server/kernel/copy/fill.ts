/**
 * Fills an empty database: writes all tables in one transaction, reads them back and compares before the commit. An
 * interrupted run leaves the database empty.
 */
import type { Db } from '../ports.ts'
import { createSum, insertRows, type Row, readBatches, type Sum, sumTable } from './rows.ts'
import { allOrNothing, type Storage } from './storage.ts'
import { assertNoRows, type Table } from './tables.ts'

export type Source = (table: Table) => AsyncIterable<readonly Row[]>

export const createRowSource =
  (reader: Db): Source =>
  (table) =>
    readBatches(reader, table)

export type Compared = { table: string; read: Sum; written: Sum }

export const isSame = ({ read, written }: Compared): boolean =>
  read.rows === written.rows && read.hash === written.hash

export type Progress = (what: string) => void

export type FillOptions = {
  tables: readonly Table[]
  source: Source
  /** The name of the target in messages. */
  what: string
  /** Runs after all tables were written and compared. Rolls back if it throws. */
  beforeCommit: (writer: Db, compared: readonly Compared[]) => Promise<void>
  progress: Progress
}

/** Rolls back if a table differs. */
export const fill = (
  target: Storage,
  { tables, source, what, beforeCommit, progress }: FillOptions,
): Promise<readonly Compared[]> =>
  allOrNothing(target, async (writer) => {
    await assertNoRows(writer, tables, what)
    const compared: Compared[] = []
    for (const table of tables) {
      const { add, sum } = createSum()
      for await (const batch of source(table)) {
        for (const row of batch) add(row)
        await insertRows(writer, target.engine, table, batch)
        progress(`Writing ${table.name}: ${sum().rows} rows`)
      }
      const written = await sumTable(writer, table, (rows) =>
        progress(`Comparing ${table.name}: ${rows} rows`),
      )
      compared.push({ table: table.name, read: sum(), written })
    }
    const commits = compared.every(isSame)
    if (commits) await beforeCommit(writer, compared)
    return { result: compared, commits }
  })
