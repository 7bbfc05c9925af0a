import type { Migration } from './migration.ts'

/** Lists running servers and the master keys in each one's file. */
export const runningServers: Migration = {
  async up({ schema }) {
    await schema
      .createTable('running_servers')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('master_keys', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
