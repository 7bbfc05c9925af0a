/** Adds indexes that find old rows without a scan, and counters that replace counting queries. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const boundedGrowth: Migration = {
  async up(db) {
    const { schema } = db
    await schema
      .createIndex('sessions_by_revocation')
      .on('sessions')
      .column('revoked_at')
      .where(sql.ref('revoked_at'), 'is not', null)
      .execute()

    await schema
      .alterTable('analytics_events')
      .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createIndex('analytics_of_app')
      .on('analytics_events')
      .columns(['app_id', 'position'])
      .execute()
    await schema
      .createTable('analytics_volumes')
      .addColumn('app_id', 'text', (column) => column.primaryKey())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('user_counts')
      .addColumn('app_id', 'text', (column) => column.primaryKey())
      .addColumn('users', 'bigint', (column) => column.notNull())
      .execute()
    await sql`
      insert into user_counts (app_id, users)
      select id, (select count(*) from users where users.app_id = apps.id) from apps where max_users is not null
      on conflict do nothing
    `.execute(db)
  },
}
