import type { Migration } from './migration.ts'

/** Stores the fingerprint of the next master key, and since when the current one is used. */
export const masterKeyRotation: Migration = {
  async up({ schema }) {
    await schema.alterTable('instance').addColumn('prepared_master_key', 'text').execute()
    await schema.alterTable('instance').addColumn('master_key_since', 'bigint').execute()
  },
}
