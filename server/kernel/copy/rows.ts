/** Reads, writes and checksums the rows of a table, so that two tables can be compared. */
import { createHash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import type { Engine } from '../db/database.ts'
import type { Db } from '../ports.ts'
import { copyLimits } from './limits.ts'
import { CopyRefusal } from './refusal.ts'
import type { Table } from './tables.ts'

/** Text, a 64-bit integer or null: the only value types in the tables of both engines. */
export type Value = string | bigint | null
/** The values of a row, in column order. */
export type Row = readonly Value[]

/**
 * Yields the rows in batches, with keyset pagination instead of offsets. Compares the number of rows read with the
 * count of the database, because an inconsistent sort order of the key would skip rows.
 */
export async function* readBatches(reader: Db, table: Table): AsyncGenerator<readonly Row[]> {
  const columns = list(table.columns.map(({ name }) => name))
  const key = list(table.key)
  const keyAt = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  let limit: number = copyLimits.firstBatchRows
  let last: Row | undefined
  let read = 0
  for (;;) {
    const after = last ? sql`where (${key}) > (${sql.join(keyAt.map((at) => last?.[at]))})` : sql``
    // The limit is a literal: with a parameter, the planner would have to guess it.
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(table.name)} ${after} order by ${key} limit ${sql.lit(limit)}`.execute(
      reader,
    )
    if (rows.length === 0) break
    read += rows.length
    const batch = rows.map((row) => table.columns.map(({ name }) => readValue(table, row, name)))
    yield batch
    last = batch.at(-1)
    limit = nextLimit(batch)
  }
  const { rows } = await sql<{
    count: bigint
  }>`select count(*) as count from ${sql.table(table.name)}`.execute(reader)
  if (Number(rows[0]?.count) === read) return
  throw new CopyRefusal(
    'row_refused',
    `the table ${table.name} has ${rows[0]?.count} rows, of which ${read} can be read in the order of its key.`,
  )
}

function nextLimit(batch: readonly Row[]): number {
  let bytes = 1
  for (const row of batch) for (const value of row) bytes += typeof value === 'string' ? value.length : 8
  const fitting = Math.floor((copyLimits.batchBytes * batch.length) / bytes)
  return Math.max(1, Math.min(fitting, copyLimits.batchRows))
}

/** SQLite stores any type in any column. Throws for a value that PostgreSQL could not store in that column. */
function readValue(table: Table, row: Readonly<Record<string, unknown>>, name: string): Value {
  const value = row[name]
  const type = table.columns.find((column) => column.name === name)?.type
  if (value === null) return null
  if (type === 'integer' && typeof value === 'bigint') return value
  if (type === 'text' && typeof value === 'string') return value
  throw new CopyRefusal(
    'row_refused',
    `the table ${table.name} has a value in ${name} that is no ${type}, in the row with the key ${formatKey(table, row)}. Correct that row first.`,
  )
}

const formatKey = ({ key }: Table, row: Readonly<Record<string, unknown>>) =>
  key.map((name) => `${name} ${JSON.stringify(String(row[name]))}`).join(', ')

const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/**
 * Serialises a row as a JSON array. Integers become strings, which keep all 64 bits; the table schema distinguishes
 * them.
 */
export const serializeRow = (row: Row): string =>
  JSON.stringify(row.map((value) => (typeof value === 'bigint' ? String(value) : value)))

const integerPattern = /^-?[0-9]{1,19}$/

/** Parses a line, or returns undefined if it is no row of this table. */
export function parseRow(line: string, { columns }: Table): Row | undefined {
  let values: unknown
  try {
    values = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!Array.isArray(values) || values.length !== columns.length) return undefined
  const row: Value[] = []
  for (const [at, value] of values.entries()) {
    const isInteger = columns[at]?.type === 'integer'
    if (value === null) row.push(null)
    else if (typeof value !== 'string') return undefined
    else if (!isInteger) row.push(value)
    else if (integerPattern.test(value)) row.push(BigInt(value))
    else return undefined
  }
  return row
}

/**
 * The number of rows and the sum of their hashes. The sum is independent of the order, because engines sort text
 * differently. It only compares two engines; the file hash protects a backup against tampering.
 */
export type Sum = { rows: number; hash: string }

export function createSum() {
  let rows = 0
  let total = 0n
  return {
    add(row: Row): void {
      rows += 1
      const hash = createHash('sha256').update(serializeRow(row)).digest('hex')
      total = BigInt.asUintN(256, total + BigInt(`0x${hash}`))
    },
    sum: (): Sum => ({ rows, hash: total.toString(16).padStart(64, '0') }),
  }
}

export async function sumTable(
  reader: Db,
  table: Table,
  progress: (rows: number) => void = () => {},
): Promise<Sum> {
  const { add, sum } = createSum()
  for await (const batch of readBatches(reader, table)) {
    for (const row of batch) add(row)
    progress(sum().rows)
  }
  return sum()
}

export async function insertRows(
  writer: Db,
  engine: Engine,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  const atOnce = Math.floor(copyLimits.valuesOfStatement / table.columns.length)
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    if (engine === 'postgres') for (const row of some) assertNoNul(table, row)
    // Raw SQL: building a query node for each value took longer than the database needs to run the statement.
    await writer
      .executeQuery(CompiledQuery.raw(insertText(engine, table, some.length), some.flat()))
      .catch((error: unknown) => throwRefusal(table, error))
  }
}

function insertText(engine: Engine, { name, columns }: Table, rows: number): string {
  let parameters = 0
  const parameter = engine === 'postgres' ? () => `$${++parameters}` : () => '?'
  const row = () => `(${columns.map(parameter).join(',')})`
  const names = columns.map((column) => quoteIdentifier(column.name))
  return `insert into ${quoteIdentifier(name)} (${names.join(',')}) values ${Array.from({ length: rows }, row).join(',')}`
}

/** Quotes an identifier. Names come from the database itself and may be SQL keywords. */
const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

function assertNoNul(table: Table, row: Row): void {
  const at = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
  if (at < 0) return
  const rowByName = Object.fromEntries(table.columns.map(({ name }, column) => [name, row[column]]))
  throw new CopyRefusal(
    'row_refused',
    `PostgreSQL takes no text with a NUL character. ${table.columns[at]?.name} of the table ${table.name} has one, in the row with the key ${formatKey(table, rowByName)}. Correct that row first.`,
  )
}

function throwRefusal(table: Table, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  throw new CopyRefusal('row_refused', `the database refused rows of the table ${table.name}: ${why}`)
}
