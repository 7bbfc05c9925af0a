import type { Migration } from './migration.ts'

/** Stores whether an app keeps single analytics events besides the hourly counts. */
export const analyticsSetting: Migration = {
  async up({ schema }) {
    await schema
      .alterTable('apps')
      .addColumn('analytics', 'text', (column) => column.notNull().defaultTo('counts'))
      .execute()
  },
}
