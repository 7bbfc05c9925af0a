import type { Migration } from './migration.ts'

/** A session says which account it was logged in with, and a method of verification since when it is what it is. */
export const loginAccounts: Migration = {
  async up({ schema }) {
    await schema.alterTable('sessions').addColumn('account_id', 'text').execute()
    await schema.alterTable('sessions').addColumn('account_linked_at', 'bigint').execute()
    await schema.alterTable('mfa_methods').addColumn('changed_at', 'bigint').execute()
  },
}
