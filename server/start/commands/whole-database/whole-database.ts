/** Shared code of copy, backup and restore: the tables of this release, and the keys that their rows need. */
import { collectKeyColumns, collectMigrations } from '../../../kernel/capability.ts'
import type { StorageConfig } from '../../../kernel/config.ts'
import { type Compared, isSame } from '../../../kernel/copy/fill.ts'
import { CopyRefusal } from '../../../kernel/copy/refusal.ts'
import { databaseExists, formatDatabaseUrl, openStorage, type Storage } from '../../../kernel/copy/storage.ts'
import {
  assertKnownTables,
  assertNoRows,
  assertSameSchema,
  createReleaseSchema,
  readSchema,
  type Schema,
} from '../../../kernel/copy/tables.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { keysNeeded } from '../../../kernel/keys/backup-keys.ts'
import { openKms } from '../../../kernel/keys/keys.ts'
import type { MasterKey, MasterKeys } from '../../../kernel/keys/master-key.ts'
import { runningServersTable } from '../../../kernel/keys/running-servers.ts'
import { isNewDatabase, readMasterKeyState } from '../../../kernel/keys/store.ts'
import type { Clock, Db } from '../../../kernel/ports.ts'
import { capabilities } from '../../capabilities.ts'
import { table } from '../table.ts'

export const releaseSchema = (): Promise<Schema> => createReleaseSchema(collectMigrations(capabilities))

/** Returns the tables to copy. The list of running servers belongs to one database only. */
export const listCopiedTables = ({ tables }: Schema) =>
  tables.filter(({ name }) => name !== runningServersTable)

export async function withStorage<Result>(
  url: string,
  use: 'read' | 'write',
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(url, use)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Throws if the tables of the database are not those of this release. */
export async function assertCurrentDatabase(
  storage: Storage,
  reader: Db,
  { url, release, ignoresUnknown }: { url: string; release: Schema; ignoresUnknown: boolean },
): Promise<void> {
  const databaseSchema = {
    ...(await readSchema(storage, reader)),
    what: `the database ${formatDatabaseUrl(url)}`,
    older: {
      code: 'database_not_current',
      advice: 'Use the release that it belongs to, or bring its tables up to date with "latchkey migrate".',
    },
  } as const
  assertSameSchema(release, databaseSchema, ignoresUnknown)
}

export type Keys = {
  master: string
  recovery: string | null
  needed: readonly string[]
}

/** Checks that the configured keys open the database, and also every wrapped secret, which no server checks. */
export async function verifyKeys(reader: Db, config: StorageConfig, clock: Clock): Promise<Keys> {
  if (await isNewDatabase(reader)) {
    throw new CopyRefusal(
      'database_without_keys',
      `no server has started with the database ${formatDatabaseUrl(config.databaseUrl)} yet: it has no keys and no users. Start a server with the new one instead.`,
    )
  }
  const kms = await openKms({ database: { db: reader }, clock, ...config })
  const { master, recovery } = await readMasterKeyState(reader)
  const current = [master.current, ...(recovery.current === null ? [] : [recovery.current])]
  const wrapped = await keysNeeded(reader, kms, collectKeyColumns(capabilities).wrapped)
  const needed = [...new Set([...current, ...wrapped])]
  assertKeysPresent(needed, kms.heldKeyIds())
  return { master: master.current, recovery: recovery.current, needed }
}

export function assertKeysPresent(needed: readonly string[], held: readonly string[]): void {
  const missing = needed.filter((id) => !held.includes(id))
  if (missing.length === 0) return
  throw new CopyRefusal(
    'key_file_missing',
    `secrets in this database are encrypted with the master key ${missing.join(', ')}, which is not in your key files. ` +
      'Use the key files of the servers, or their backup from that time.',
  )
}

/** Returns the key with this id, or throws. */
export function findKeyById(id: string, keys: MasterKeys, file: string): MasterKey {
  const key = keys.find((one) => one.id === id)
  if (key) return key
  throw new CopyRefusal(
    'wrong_key',
    `this belongs to the master key ${id}, but ${file} contains ${keys.map((one) => one.id).join(', ')}. Use the key file of that time.`,
  )
}

/** Throws unless the database is missing or all of its tables are empty. */
export async function assertEmptyDatabase(
  url: string,
  release: Schema,
  ignoresUnknown: boolean,
): Promise<void> {
  if (!databaseExists(url)) return
  await withStorage(url, 'read', async (storage) => {
    const what = `the database ${formatDatabaseUrl(url)}`
    const { tables } = await readSchema(storage)
    assertKnownTables(release, { tables, what }, ignoresUnknown)
    const knownTables = tables.filter(({ name }) => release.tables.some((one) => one.name === name))
    await assertNoRows(storage.db, knownTables, what)
  })
}

/** Creates the tables of this release. */
export async function createTables(url: string): Promise<void> {
  const database = openDatabase(url, { migrations: collectMigrations(capabilities) })
  try {
    await database.migrate()
  } finally {
    await database.close()
  }
}

/** Formats the tables with rows, and the number of empty tables. */
export function formatComparison(
  compared: readonly Compared[],
  sides: readonly [string, string],
): readonly string[] {
  const full = compared.filter(({ read, written }) => read.rows + written.rows > 0)
  const rows = full.map((one) => [
    one.table,
    String(one.read.rows),
    String(one.written.rows),
    isSame(one) ? `same (${one.read.hash.slice(0, 12)})` : 'DIFFERENT',
  ])
  const empty = compared.length - full.length
  return [
    ...table([['TABLE', ...sides.map((side) => `ROWS ${side}`), 'CONTENT'], ...rows]),
    ...(empty > 0 ? [`${empty} more tables are empty.`] : []),
  ]
}

export function assertSameContent(compared: readonly Compared[]): void {
  const different = compared.filter((one) => !isSame(one))
  if (different.length === 0) return
  throw new CopyRefusal(
    'copy_differs',
    `what was written is not what was read, in ${different.map(({ table: name }) => name).join(', ')}. Nothing was kept: the database is as empty as before.`,
  )
}

export const totalRows = (compared: readonly Compared[]): number =>
  compared.reduce((sum, { read }) => sum + read.rows, 0)
