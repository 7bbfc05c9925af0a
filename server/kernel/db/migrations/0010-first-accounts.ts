import type { Migration } from './migration.ts'

/** Stores the account that a user signed up with. Null for a user that an earlier release created. */
export const firstAccounts: Migration = {
  async up({ schema }) {
    await schema.alterTable('users').addColumn('first_account_id', 'text').execute()
  },
}
