import type { Migration } from './migration.ts'

/** Stores the account that a session was logged in with, and the last change of a second factor. */
export const loginAccounts: Migration = {
  async up({ schema }) {
    await schema.alterTable('sessions').addColumn('account_id', 'text').execute()
    await schema.alterTable('sessions').addColumn('account_linked_at', 'bigint').execute()
    await schema.alterTable('mfa_methods').addColumn('changed_at', 'bigint').execute()
  },
}
