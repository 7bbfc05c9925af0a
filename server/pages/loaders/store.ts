import type { OverdueRows } from '../../kernel/db/cleanup.ts'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Db, Reader } from '../../kernel/ports.ts'
import { loaderLimits } from './limits.ts'

type LoaderFileTable = {
  /** The content hash, which is the folder in the address. */
  hash: string
  name: string
  /** The file, compressed with Brotli. */
  content: string
  /** The last time that a server with this file in its build stored it. */
  shipped_at: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    loader_files: LoaderFileTable
  }
}

export const loaderFilesTable: Migration = {
  async up({ schema }) {
    await schema
      .createTable('loader_files')
      .ifNotExists()
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('shipped_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}

export async function insertLoaderFiles(db: Db, files: readonly Row<'loader_files'>[]): Promise<void> {
  await db
    .insertInto('loader_files')
    .values(files)
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((row) => ({
        content: row.ref('excluded.content'),
        shipped_at: row.ref('excluded.shipped_at'),
      })),
    )
    .execute()
}

/** Returns the compressed content, or undefined. */
export async function findLoaderFile(db: Db, hash: string, name: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('loader_files')
    .select('content')
    .where('hash', '=', hash)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && Buffer.from(row.content, 'base64url')
}

/** Selects the files that were shipped the longest ago. Files of one build have one time, and go together. */
export async function surplusLoaderFiles(reader: Reader): Promise<readonly OverdueRows[]> {
  const oldest = await reader
    .selectFrom('loader_files')
    .select('shipped_at')
    .orderBy('shipped_at', 'desc')
    .offset(loaderLimits.storedFiles)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return []
  return [{ table: 'loader_files', key: ['hash'], column: 'shipped_at', upTo: oldest.shipped_at }]
}
