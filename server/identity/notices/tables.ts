import type { Selectable } from 'kysely'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** Notices that no contact accepted, until the user answers them. */
type LoginNoticeTable = {
  id: string
  app_id: string
  user_id: string
  /** The session in which the change was made. */
  session_id: string
  /** The change to undo, as JSON. Null for a wallet recovery. */
  change: string | null
  /** The account that the change added. */
  account_id: string | null
  created_at: number
  expires_at: number
}
export type NoticeRow = Selectable<LoginNoticeTable>

type NoticeTables = { login_notices: LoginNoticeTable }
export const noticeTables = (reader: Reader) => reader.withTables<NoticeTables>()

export const noticeMigrations: Readonly<Record<string, Migration>> = {
  '0001-login-notices': {
    async up({ schema }) {
      await schema
        .createTable('login_notices')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('change', 'text')
        .addColumn('account_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('login_notices_of_user').on('login_notices').column('user_id').execute()
      await schema.createIndex('login_notices_by_end').on('login_notices').column('expires_at').execute()
    },
  },
}
