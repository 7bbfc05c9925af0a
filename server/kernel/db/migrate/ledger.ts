/** Records the migrations that have run on a database. A release ignores entries of newer releases. */
import { product } from '@latchkey/protocol'
import type { Reader } from '../../ports.ts'
import type { Migrations } from '../migrations/migration.ts'

const ledgerTable = `${product.key}_migrations` as const
/** The ledger of release 0.1.0, which refuses to start if the table has a name that it does not know. */
const ledgerOfFirstRelease = `${product.key}_migration` as const

/** Returns whether the table belongs to the migrations: a ledger or the lease. */
export const isMigrationTable = (table: string) => table.startsWith(ledgerOfFirstRelease)

type Tables = {
  [ledgerTable]: { name: string; oldest_release: string | null; done_at: string }
  [ledgerOfFirstRelease]: { name: string }
}
const ledgerTables = (reader: Reader) => reader.withTables<Tables>()

export type Ledger = {
  names: ReadonlySet<string>
  /** Releases older than these no longer work with the database. */
  oldestReleases: readonly string[]
}

/** Returns undefined if no release since 0.1.0 has migrated the database. One read without locks. */
export async function readLedger(reader: Reader): Promise<Ledger | undefined> {
  const rows = await ifTableExists(
    ledgerTables(reader).selectFrom(ledgerTable).select(['name', 'oldest_release']).execute(),
  )
  return (
    rows && {
      names: new Set(rows.map(({ name }) => name)),
      oldestReleases: rows.flatMap(({ oldest_release }) => oldest_release ?? []),
    }
  )
}

/** Creates the ledger and imports the entries of the first release. Idempotent. */
export async function openLedger(reader: Reader): Promise<Ledger> {
  await reader.schema
    .createTable(ledgerTable)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('oldest_release', 'text')
    .addColumn('done_at', 'text', (column) => column.notNull())
    .execute()
  const earlierEntries = await ifTableExists(
    ledgerTables(reader).selectFrom(ledgerOfFirstRelease).select('name').execute(),
  )
  for (const { name } of earlierEntries ?? []) await recordMigration(reader, name, {})
  const done = await readLedger(reader)
  if (!done) throw new Error('The migration ledger does not exist')
  return done
}

export async function recordMigration(
  reader: Reader,
  name: string,
  { contracts }: { contracts?: string | undefined },
): Promise<void> {
  await ledgerTables(reader)
    .insertInto(ledgerTable)
    .values({ name, oldest_release: contracts ?? null, done_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

export const findMissing = (known: Migrations, done: Ledger | undefined): readonly string[] =>
  Object.keys(known).filter((name) => !done?.names.has(name))

/** Returns undefined if the table does not exist. */
async function ifTableExists<Row>(reading: Promise<Row>): Promise<Row | undefined> {
  try {
    return await reading
  } catch (error) {
    const { code, message } = Object(error)
    if (code === '42P01' || (code === 'ERR_SQLITE_ERROR' && String(message).startsWith('no such table')))
      return undefined
    throw error
  }
}
