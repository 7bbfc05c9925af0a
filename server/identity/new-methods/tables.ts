import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** Unused links that undo a change. */
type TakeBackTable = {
  secret_hash: string
  app_id: string
  user_id: string
  /** The change to undo, as JSON. */
  change: string
  created_at: number
  expires_at: number
}

type NewMethodTables = { take_backs: TakeBackTable }
export const newMethodTables = (reader: Reader) => reader.withTables<NewMethodTables>()

export const newMethodMigrations: Migrations = {
  '0001-take-backs': {
    async up({ schema }) {
      await schema
        .createTable('take_backs')
        .addColumn('secret_hash', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('change', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('take_backs_of_user').on('take_backs').column('user_id').execute()
      await schema.createIndex('take_backs_by_end').on('take_backs').column('expires_at').execute()
    },
  },
}
