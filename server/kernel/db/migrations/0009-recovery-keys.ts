import type { Migration } from './migration.ts'

/** Adds the same three columns for the master key of recovery shares. */
export const recoveryKeys: Migration = {
  async up({ schema }) {
    await schema.alterTable('instance').addColumn('recovery_key_fingerprint', 'text').execute()
    await schema.alterTable('instance').addColumn('prepared_recovery_key', 'text').execute()
    await schema.alterTable('instance').addColumn('recovery_key_since', 'bigint').execute()
  },
}
