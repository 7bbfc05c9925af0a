import type { Migration } from './migration.ts'

/** Recovery shares may have a master key of their own: the same three as of the first. */
export const recoveryKeys: Migration = {
  async up({ schema }) {
    await schema.alterTable('instance').addColumn('recovery_key_fingerprint', 'text').execute()
    await schema.alterTable('instance').addColumn('prepared_recovery_key', 'text').execute()
    await schema.alterTable('instance').addColumn('recovery_key_since', 'bigint').execute()
  },
}
