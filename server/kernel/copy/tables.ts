/**
 * Reads the schema from the database itself. The release schema is derived by running its migrations on an empty
 * database, so that tables, columns and keys are not listed by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import { openDatabase } from '../db/database.ts'
import { isMigrationTable, readLedger } from '../db/migrate/ledger.ts'
import type { Migrations } from '../db/migrations/migration.ts'
import type { Db } from '../ports.ts'
import { CopyRefusal, type CopyRefusalCode } from './refusal.ts'
import { openStorage, type Storage } from './storage.ts'

/** A column. Types that no table of this release uses keep the name of the engine. */
export type Column = { name: string; type: 'text' | 'integer' | (string & {}) }

export type Table = {
  name: string
  /** Sorted by name: the order in the table depends on the order of migrations. */
  columns: readonly Column[]
  /** The primary key. */
  key: readonly string[]
}

export type Schema = { tables: readonly Table[]; migrations: readonly string[] }

export async function createReleaseSchema(migrations: Migrations): Promise<Schema> {
  const folder = mkdtempSync(join(tmpdir(), `${product.key}-schema-`))
  const url = join(folder, 'empty.sqlite')
  try {
    const database = openDatabase(url, { migrations })
    try {
      await database.migrate()
    } finally {
      await database.close()
    }
    const storage = await openStorage(url, 'read')
    try {
      return await readSchema(storage)
    } finally {
      await storage.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function readSchema(storage: Storage, reader = storage.db): Promise<Schema> {
  const introspectedTables = await reader.introspection.getTables()
  const current = storage.engine === 'postgres' ? await currentSchema(reader) : undefined
  const here = introspectedTables.filter((table) => !table.isView && table.schema === current)
  const tables: Table[] = []
  for (const { name, columns } of here.filter((table) => !isMigrationTable(table.name))) {
    tables.push({
      name,
      columns: columns
        .map((column) => ({ name: column.name, type: normalizeType(column.dataType) }))
        .sort(byName),
      key: await readPrimaryKey(storage, reader, name),
    })
  }
  return {
    tables: tables.sort(byName),
    migrations: [...((await readLedger(reader))?.names ?? [])].sort(),
  }
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

function normalizeType(dataType: string): string {
  const type = dataType.toLowerCase()
  return /^(int[248]|bigint|integer)$/.test(type) ? 'integer' : type
}

async function currentSchema(reader: Db): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(reader)
  return rows[0]?.schema ?? ''
}

async function readPrimaryKey({ engine }: Storage, reader: Db, table: string): Promise<readonly string[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ name: string }>`
          select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(reader)
      : // The information schema hides keys from a role that can only read.
        await sql<{ name: string }>`
          select part.attname as name
          from pg_catalog.pg_index as key
          join pg_catalog.pg_class as whole on whole.oid = key.indrelid
          join pg_catalog.pg_namespace as place on place.oid = whole.relnamespace
          join pg_catalog.pg_attribute as part on part.attrelid = whole.oid and part.attnum = any(key.indkey)
          where key.indisprimary and place.nspname = current_schema() and whole.relname = ${table}
          order by array_position(key.indkey::int2[], part.attnum)`.execute(reader)
  return rows.map(({ name }) => name)
}
/** The schema of a database or backup, its name in messages, and the error for an older release. */
type CheckedSchema = Schema & {
  what: string
  older: { code: CopyRefusalCode; advice: string }
}

/**
 * Throws if this release cannot read the schema completely. With `ignoresUnknown`, unknown tables and migrations are
 * left out; known tables must still match exactly.
 */
export function assertSameSchema(release: Schema, found: CheckedSchema, ignoresUnknown: boolean): void {
  const { what, older } = found
  const missing = release.migrations.filter((name) => !found.migrations.includes(name))
  if (missing.length > 0) {
    throw new CopyRefusal(
      older.code,
      `${what} lacks migrations of this release: ${missing.join(', ')}. ${older.advice}`,
    )
  }
  const unknown = found.migrations.filter((name) => !release.migrations.includes(name))
  if (unknown.length > 0 && !ignoresUnknown) {
    throw new CopyRefusal(
      'unknown_migrations',
      `${what} has migrations that this release does not know: ${unknown.join(', ')}. Use the release that has them. ` +
        'If they belong to a capability that you removed, --ignore-unknown leaves its tables out.',
    )
  }
  assertKnownTables(release, found, ignoresUnknown)
  for (const table of release.tables) {
    const other = found.tables.find(({ name }) => name === table.name)
    if (!isDeepStrictEqual(other, table)) {
      throw new CopyRefusal(
        'unknown_tables',
        `the table ${table.name} of ${what} is not as this release makes it. Use the release that made it.`,
      )
    }
  }
}

export function assertKnownTables(
  release: Schema,
  found: Pick<CheckedSchema, 'tables' | 'what'>,
  ignoresUnknown: boolean,
): void {
  const unknown = found.tables.filter(({ name }) => !release.tables.some((table) => table.name === name))
  if (unknown.length === 0 || ignoresUnknown) return
  throw new CopyRefusal(
    'unknown_tables',
    `${found.what} has tables that this release does not know: ${unknown.map(({ name }) => name).join(', ')}. ` +
      '--ignore-unknown leaves them out.',
  )
}

/** Throws if one of these tables has rows. */
export async function assertNoRows(reader: Db, tables: readonly Table[], what: string): Promise<void> {
  const full: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 as found from ${sql.table(name)} limit 1`.execute(reader)
    if (rows.length > 0) full.push(name)
  }
  if (full.length === 0) return
  throw new CopyRefusal(
    'database_not_empty',
    `${what} already has rows, in ${full.join(', ')}. ` +
      'Name an empty database: nothing that exists is ever overwritten.',
  )
}
