import type { Migration } from './migration.ts'

/** Which master key is known and not used yet, and when the one that is used took over. */
export const masterKeyRotation: Migration = {
  async up({ schema }) {
    await schema.alterTable('instance').addColumn('prepared_master_key', 'text').execute()
    await schema.alterTable('instance').addColumn('master_key_since', 'bigint').execute()
  },
}
