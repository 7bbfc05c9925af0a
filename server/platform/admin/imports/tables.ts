import type { ImportResult, ImportSource, ImportState } from '@latchkey/protocol/admin'
import type { Migrations } from '../../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../../kernel/ports.ts'

export type ImportRow = {
  id: string
  app_id: string
  source: ImportSource
  dry_run: 0 | 1
  state: ImportState
  parts: number
  records: number
  done: number
  created: number
  merged: number
  conflicts: number
  skipped: number
  created_at: number
  started_at: number | null
  ended_at: number | null
  /** When the import is deleted. Null while it runs or waits after a failure. */
  expires_at: number | null
  /** The process that imports the next chunk, until the lease ends. */
  lease: string | null
  lease_until_ms: number | null
  /** Failed attempts since the last imported chunk. */
  failures: number
}

type ImportPartRow = {
  import_id: string
  part: number
  /** The chunks of the part. A repeated upload has others. */
  upload: string
  records: number
  created_at: number
}

/** Records of an upload, in the order of their lines. They are deleted when they are imported. */
type ImportChunkRow = {
  upload: string
  chunk: number
  records: number
  /** JSON of `StagedRecord[]`. */
  content: string
  created_at: number
}

export type ImportReportRow = {
  import_id: string
  part: number
  line: number
  result: ImportResult
  why: string | null
  user_id: string | null
  /**
   * The import and the user, so that a user has one row in an import. One column, because PostgreSQL would else read
   * all rows of the import while its statistics do not know it.
   */
  user_key: string | null
  /** Separated by spaces. */
  left_out: string
  created_at: number
}

/** Accounts and external ids of a dry run, by which it finds duplicates. Deleted when it ends. */
type ImportClaimRow = {
  import_id: string
  type: string
  identifier: string
  /** The id that the user would get. */
  planned_id: string
  created_at: number
}

type ImportTables = {
  imports: ImportRow
  import_parts: ImportPartRow
  import_chunks: ImportChunkRow
  import_rows: ImportReportRow
  import_claims: ImportClaimRow
}

/** Returns `user_key` of a row. */
export const formatUserKey = (importId: string, userId: string) => `${importId}:${userId}`

/** Adds the tables of imports to a reader. */
export const withImportTables = (reader: Reader) => reader.withTables<ImportTables>()

export const importMigrations: Migrations = {
  '0001-tables': {
    async up({ schema }) {
      await schema
        .createTable('imports')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('dry_run', 'bigint', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('parts', 'bigint', (column) => column.notNull())
        .addColumn('records', 'bigint', (column) => column.notNull())
        .addColumn('done', 'bigint', (column) => column.notNull())
        .addColumn('created', 'bigint', (column) => column.notNull())
        .addColumn('merged', 'bigint', (column) => column.notNull())
        .addColumn('conflicts', 'bigint', (column) => column.notNull())
        .addColumn('skipped', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('started_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('expires_at', 'bigint')
        .addColumn('lease', 'text')
        .addColumn('lease_until_ms', 'bigint')
        .addColumn('failures', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('imports_by_app').on('imports').columns(['app_id', 'state']).execute()
      await schema.createIndex('imports_by_state').on('imports').column('state').execute()
      await schema.createIndex('imports_by_end').on('imports').column('expires_at').execute()

      await schema
        .createTable('import_parts')
        .addColumn('import_id', 'text', (column) => column.notNull())
        .addColumn('part', 'bigint', (column) => column.notNull())
        .addColumn('upload', 'text', (column) => column.notNull())
        .addColumn('records', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('import_parts_key', ['import_id', 'part'])
        .execute()
      await schema.createIndex('import_parts_by_age').on('import_parts').column('created_at').execute()

      await schema
        .createTable('import_chunks')
        .addColumn('upload', 'text', (column) => column.notNull())
        .addColumn('chunk', 'bigint', (column) => column.notNull())
        .addColumn('records', 'bigint', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('import_chunks_key', ['upload', 'chunk'])
        .execute()
      await schema.createIndex('import_chunks_by_age').on('import_chunks').column('created_at').execute()

      await schema
        .createTable('import_rows')
        .addColumn('import_id', 'text', (column) => column.notNull())
        .addColumn('part', 'bigint', (column) => column.notNull())
        .addColumn('line', 'bigint', (column) => column.notNull())
        .addColumn('result', 'text', (column) => column.notNull())
        .addColumn('why', 'text')
        .addColumn('user_id', 'text')
        .addColumn('user_key', 'text', (column) => column.unique())
        .addColumn('left_out', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('import_rows_key', ['import_id', 'part', 'line'])
        .execute()
      await schema.createIndex('import_rows_by_age').on('import_rows').column('created_at').execute()

      await schema
        .createTable('import_claims')
        .addColumn('import_id', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('identifier', 'text', (column) => column.notNull())
        .addColumn('planned_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('import_claims_key', ['import_id', 'type', 'identifier'])
        .execute()
      await schema.createIndex('import_claims_by_age').on('import_claims').column('created_at').execute()
    },
  },
}
