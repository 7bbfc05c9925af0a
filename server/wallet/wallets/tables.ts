import type { ChainType, RecoveryMethod } from '@latchkey/protocol'
import type { ShareKind } from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

type WalletTable = {
  id: string
  app_id: string
  user_id: string
  kind: ShareKind
  chain_type: ChainType
  status: 'pending' | 'committed'
  generation: number
  /** The address in the one spelling that its chain has for it. */
  address: string | null
  recovery_method: RecoveryMethod
  /** Wrapped under its own key-encryption key. */
  auth_share: string | null
  /** Wrapped under another. */
  recovery_share: string | null
  /** Hash of what shows that somebody knows the password of the recovery, or JSON of the passkey that is to sign; else null. */
  recovery_access: string | null
  /** The greatest that was ever given to an attempt to make one. */
  last_generation: number
  created_at: number
  committed_at: number | null
}

/** A generation of shares that is being made, beside the one that the wallet has. */
type WalletReshareTable = {
  id: string
  wallet_id: string
  /** No two attempts for a wallet have the same number. */
  generation: number
  /** The generation that it is made from, and takes the place of. */
  base_generation: number
  /** The operation of the vault that makes the attempt. */
  operation_id: string
  recovery_method: RecoveryMethod | null
  auth_share: string | null
  recovery_share: string | null
  recovery_access: string | null
  expires_at: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    wallets: WalletTable
    wallet_reshares: WalletReshareTable
  }
}

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
