import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A passkey that was made to keep a wallet and keeps none yet. */
type RecoveryPasskeyTable = {
  app_id: string
  user_id: string
  credential_id: string
  /** JSON: as a wallet has it that is kept by it. */
  passkey: string
  expires_at: number
}
export const recoveryPasskeyTables = (reader: Reader) =>
  reader.withTables<{ recovery_passkeys: RecoveryPasskeyTable }>()

/** An address that somebody adds a wallet of, and nobody else meanwhile. */
type HeldAddressTable = { app_id: string; identifier: string; expires_at: number }
export const heldAddresses = (reader: Reader) => reader.withTables<{ held_addresses: HeldAddressTable }>()

export const walletMigrations: Migrations = {
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
  '0002-recovery-passkeys': {
    async up({ schema }) {
      await schema
        .createTable('recovery_passkeys')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('credential_id', 'text', (column) => column.notNull())
        .addColumn('passkey', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('recovery_passkeys_key', ['app_id', 'user_id', 'credential_id'])
        .execute()
      await schema
        .createIndex('recovery_passkeys_by_end')
        .on('recovery_passkeys')
        .column('expires_at')
        .execute()
    },
  },
  '0003-held-addresses': {
    async up({ schema }) {
      await schema
        .createTable('held_addresses')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('identifier', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('held_addresses_key', ['app_id', 'identifier'])
        .execute()
      await schema.createIndex('held_addresses_by_end').on('held_addresses').column('expires_at').execute()
    },
  },
}
