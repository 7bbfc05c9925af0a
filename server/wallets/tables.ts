import type { Migration } from 'kysely'

export const walletMigrations: Readonly<Record<string, Migration>> = {
  '0001-reshares': {
    async up({ schema }) {
      await schema
        .alterTable('wallets')
        .addColumn('last_generation', 'bigint', (column) => column.notNull().defaultTo(1))
        .execute()
      await schema.alterTable('wallets').addColumn('recovery_access', 'text').execute()
      await schema
        .createTable('wallet_reshares')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('wallet_id', 'text', (column) => column.notNull())
        .addColumn('generation', 'bigint', (column) => column.notNull())
        .addColumn('base_generation', 'bigint', (column) => column.notNull())
        .addColumn('operation_id', 'text', (column) => column.notNull())
        .addColumn('recovery_method', 'text')
        .addColumn('auth_share', 'text')
        .addColumn('recovery_share', 'text')
        .addColumn('recovery_access', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('wallet_reshares_one_a_generation', ['wallet_id', 'generation'])
        .execute()
      await schema
        .createIndex('wallet_reshares_by_expiry')
        .on('wallet_reshares')
        .column('expires_at')
        .execute()
    },
  },
}
