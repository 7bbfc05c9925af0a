import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** Used proofs, by hash, to prevent replay. */
type UsedTable = { hash: string; expires_at: number }

export type TelegramTables = { telegram_used: UsedTable }
export const telegramTables = (reader: Reader) => reader.withTables<TelegramTables>()

export const telegramMigrations: Migrations = {
  '0001-windows': {
    async up({ schema }) {
      // Windows are stored in `login_windows`. Servers of the previous release still write this table.
      await schema
        .createTable('telegram_windows')
        .addColumn('handle', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('binding', 'text', (column) => column.notNull())
        .addColumn('relay_challenge', 'text', (column) => column.notNull())
        .addColumn('browser_hash', 'text')
        .addColumn('answer', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createTable('telegram_used')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      for (const table of ['telegram_windows', 'telegram_used']) {
        await schema.createIndex(`${table}_by_end`).on(table).column('expires_at').execute()
      }
    },
  },
  '0002-without-browser-hash': {
    // The window's row contains the browser hash. No release read this column.
    contracts: '0.1.0',
    async up({ schema }) {
      await schema.alterTable('telegram_windows').dropColumn('browser_hash').execute()
    },
  },
}
