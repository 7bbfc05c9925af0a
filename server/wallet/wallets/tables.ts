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
  /** The address in the canonical form of its chain. */
  address: string | null
  recovery_method: RecoveryMethod
  /** Wrapped under the key encryption key for auth shares. */
  auth_share: string | null
  /** Wrapped under the key encryption key for recovery shares. */
  recovery_share: string | null
  /** The hash of the password's access key, the recovery passkey as JSON, or null for other methods. */
  recovery_access: string | null
  /** The highest generation number that any reshare attempt received. */
  last_generation: number
  created_at: number
  committed_at: number | null
  /** The Solana address that the secret of this Ethereum wallet derives, and when it was registered. */
  solana_address: string | null
  solana_committed_at: number | null
}

/** A reshare in progress: the next generation of shares, stored beside the current one. */
type WalletReshareTable = {
  id: string
  wallet_id: string
  /** Unique among the attempts for a wallet. */
  generation: number
  /** The generation that this attempt replaces. */
  base_generation: number
  /** The vault operation that runs the attempt. */
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

/** A new recovery passkey that no wallet uses yet. */
type RecoveryPasskeyTable = {
  app_id: string
  user_id: string
  credential_id: string
  /** JSON in the format of `wallets.recovery_access`. */
  passkey: string
  expires_at: number
}
export const recoveryPasskeyTables = (reader: Reader) =>
  reader.withTables<{ recovery_passkeys: RecoveryPasskeyTable }>()

/** Locks an address while a transaction links or imports it. */
type AddressLockTable = { app_id: string; identifier: string; expires_at: number }
export const heldAddressTables = (reader: Reader) => reader.withTables<{ held_addresses: AddressLockTable }>()

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
  '0004-solana-addresses': {
    async up({ schema }) {
      await schema.alterTable('wallets').addColumn('solana_address', 'text').execute()
      await schema.alterTable('wallets').addColumn('solana_committed_at', 'bigint').execute()
      await schema
        .createIndex('wallets_by_solana_address')
        .on('wallets')
        .columns(['app_id', 'solana_address'])
        .execute()
    },
  },
}
