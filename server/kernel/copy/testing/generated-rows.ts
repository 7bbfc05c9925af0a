/** Generates rows for every table of a database, based on its schema. */
import { sql } from 'kysely'
import type { Db } from '../../ports.ts'
import { insertRows, type Row, type Value } from '../rows.ts'
import type { Storage } from '../storage.ts'
import { readSchema, type Table } from '../tables.ts'

/** Set once in each table with a text column outside of its key. */
const longText = 'long \u{1f511} '.repeat(3_000)

/** A number in front makes each value unique per row and column. */
const texts = [
  '',
  'plain',
  'Ada Lovelace <ada@example.com>',
  'Grüße, 世界, \u{1f511}\u{1f3f4}\u{200d}\u{2620}\u{fe0f}, e\u0301 is not \u00e9',
  'a "quoted" text, it\'s \\ escaped \\n, 100% $1 ?',
  'lines\nof\r\ntext\twith\u2028separators\u2029and \u0001 \u001f \u007f',
  '\u202eright to left\u202c',
  '{"json":[1,null,"\\u0000"]}',
  ' spaces around ',
] as const
const bigints = [0n, 1n, -1n, 1_767_225_600n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n] as const
const integers = [0n, 1n, -1n, 2_147_483_647n] as const

type ColumnInfo = { isNullable: boolean; isLong: boolean }

type Changes = {
  /** Tables without generated rows. */
  except?: readonly string[]
  change?: (table: Table, values: Record<string, Value>) => void
}

export async function generateRows(
  storage: Storage,
  rowsOfTable: number,
  { except = [], change = () => {} }: Changes = {},
): Promise<void> {
  const { tables } = await readSchema(storage)
  const columns = await columnsOf(storage.db)
  for (const table of tables.filter(({ name }) => !except.includes(name))) {
    const rows: Row[] = []
    for (let at = 0; at < rowsOfTable; at += 1) {
      const values: Record<string, Value> = {}
      for (const [column, { name, type }] of table.columns.entries()) {
        const { isNullable = false, isLong = false } = columns.get(`${table.name}.${name}`) ?? {}
        // SQLite reports key columns as nullable.
        values[name] = valueFor(
          type,
          { isNullable: isNullable && !table.key.includes(name), isLong },
          at,
          column,
        )
      }
      const free = table.columns.findLast(({ name, type }) => type === 'text' && !table.key.includes(name))
      if (at === 17 && free) values[free.name] = longText
      change(table, values)
      rows.push(table.columns.map(({ name }) => values[name] ?? null))
    }
    await insertRows(storage.db, storage.engine, table, rows)
  }
}

async function columnsOf(db: Db): Promise<ReadonlyMap<string, ColumnInfo>> {
  const found = await db.introspection.getTables()
  return new Map(
    found.flatMap((table) =>
      table.columns.map(({ name, isNullable, dataType }) => [
        `${table.name}.${name}`,
        { isNullable, isLong: /^(bigint|int8)$/i.test(dataType) },
      ]),
    ),
  )
}

function valueFor(type: string, { isNullable, isLong }: ColumnInfo, at: number, column: number): Value {
  if (isNullable && (at + column) % 3 === 0) return null
  if (type === 'text') return `${at}:${column}:${texts[(at + column) % texts.length]}`
  const few = isLong ? bigints : integers
  const value = few[at % few.length] ?? 0n
  // An integer key needs a different value in each row.
  return column === 0 || at < few.length ? value : BigInt(at)
}

/** Reads all rows with a plain select, independent of the code under test. */
export async function allRows(db: Db, table: string): Promise<readonly string[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) => [name, typeof value, String(value)]),
      ),
    )
    .sort()
}
