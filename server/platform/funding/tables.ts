import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A card payment that a user began at a provider. */
type FundingTable = {
  /** The reference at the provider. */
  id: string
  app_id: string
  user_id: string
  provider: string
  address: string
  is_test: number
  /** The transaction of the latest webhook notice as JSON, or null. */
  transaction_said: string | null
  /** The time of the notice by the provider's clock, in milliseconds. */
  said_at_ms: number | null
  /** Whether the payment is final, so that later notices are ignored. */
  is_over: number
  /** When the server received the notice. */
  heard_at: number | null
  created_at: number
}

type FundingTables = { funding_sessions: FundingTable }
export const fundingTables = (reader: Reader) => reader.withTables<FundingTables>()
export type FundingRow = FundingTable

export const fundingMigrations: Migrations = {
  '0001-sessions': {
    async up({ schema }) {
      await schema
        .createTable('funding_sessions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('is_test', 'integer', (column) => column.notNull())
        .addColumn('transaction_said', 'text')
        .addColumn('said_at_ms', 'bigint')
        .addColumn('is_over', 'integer', (column) => column.notNull())
        .addColumn('heard_at', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('funding_sessions_by_user')
        .on('funding_sessions')
        .columns(['user_id', 'app_id'])
        .execute()
      await schema
        .createIndex('funding_sessions_by_age')
        .on('funding_sessions')
        .column('created_at')
        .execute()
    },
  },
}
