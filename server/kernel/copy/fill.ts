/**
 * Fills an empty database: all tables in one transaction, read back and compared before it commits. So whoever finds
 * rows in it finds all of them; a run that is cut off anywhere leaves the database as empty as it was.
 */
import type { Db } from '../ports.ts'
import { adder, batchesOf, insertRows, type Row, type Sum, sumOf } from './rows.ts'
import { allOrNothing, type Storage } from './storage.ts'
import { refuseRows, type Table } from './tables.ts'

export type Source = (table: Table) => AsyncIterable<readonly Row[]>

export const rowsIn =
  (reader: Db): Source =>
  (table) =>
    batchesOf(reader, table)

export type Compared = { table: string; read: Sum; written: Sum }

export const isSame = ({ read, written }: Compared): boolean =>
  read.rows === written.rows && read.hash === written.hash

export type Progress = (what: string) => void

export type Filling = {
  tables: readonly Table[]
  source: Source
  /** What the target is called in a message. */
  what: string
  /** It runs once all is written and found to be the same. Nothing is kept where it throws. */
  beforeCommit: (writer: Db, compared: readonly Compared[]) => Promise<void>
  progress: Progress
}

/** Nothing is kept where a table differs. */
export const fill = (
  target: Storage,
  { tables, source, what, beforeCommit, progress }: Filling,
): Promise<readonly Compared[]> =>
  allOrNothing(target, async (writer) => {
    await refuseRows(writer, tables, what)
    const compared: Compared[] = []
    for (const table of tables) {
      const { add, sum } = adder()
      for await (const batch of source(table)) {
        for (const row of batch) add(row)
        await insertRows(writer, target.engine, table, batch)
        progress(`Writing ${table.name}: ${sum().rows} rows`)
      }
      const written = await sumOf(writer, table, (rows) => progress(`Comparing ${table.name}: ${rows} rows`))
      compared.push({ table: table.name, read: sum(), written })
    }
    const commits = compared.every(isSame)
    if (commits) await beforeCommit(writer, compared)
    return { result: compared, commits }
  })
