/** Second factors of a user. */
import type { Migration } from './migration.ts'

export const mfaMethods: Migration = {
  async up({ schema }) {
    await schema
      .createTable('mfa_methods')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('secret', 'text')
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('phone_number', 'text')
      .addColumn('session_id', 'text')
      .addColumn('is_verified', 'bigint', (column) => column.notNull())
      .addColumn('begun_at', 'bigint', (column) => column.notNull())
      .addColumn('enrolled_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addUniqueConstraint('mfa_methods_once', ['user_id', 'method'])
      .execute()
    await schema.createIndex('mfa_methods_by_end').on('mfa_methods').column('expires_at').execute()
  },
}
