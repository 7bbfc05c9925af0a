import { retentionLimits } from '../../limits.ts'
import type { Migration } from './migration.ts'

/** Marks deleted users. Their row remains until the app's retention time is over. */
export const deletedUsers: Migration = {
  async up({ schema }) {
    await schema.alterTable('users').addColumn('deleted_at', 'bigint').execute()
    await schema.alterTable('users').addColumn('kept_until', 'bigint').execute()
    await schema.createIndex('users_by_end').on('users').column('kept_until').execute()
    await schema
      .alterTable('apps')
      .addColumn('deleted_users_kept_days', 'bigint', (column) =>
        column.notNull().defaultTo(retentionLimits.deletedUserDays),
      )
      .execute()
  },
}
