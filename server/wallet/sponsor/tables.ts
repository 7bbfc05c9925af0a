import type { SponsoredOperation } from '@latchkey/protocol/api'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** An operation that the server sends, and the fee that it counts against the budgets of app and user. */
type OperationTable = {
  /** The hash of the operation, or the signature that identifies a Solana transaction. */
  id: string
  app_id: string
  user_id: string
  /** The number of the chain, or `solana:<cluster>`. */
  chain_id: string
  sender: string
  /** JSON of the operation and its signatures. Emptied once it is in a block. */
  signed: string
  /** The account that pays for the transaction, or the paymaster if a bundler sends the operation. */
  relay: string
  /** The nonce of the relay's transaction, or null if a simulation failed and none was sent. 0 with a paymaster and on Solana. */
  relay_nonce: number | null
  gas: number
  /** Fees per gas in wei, or the fee of a Solana transaction in lamports. Text, because a database has no such integers. */
  max_fee: string
  priority_fee: string
  /** JSON: the hashes of all transactions with this nonce, the latest last. */
  transactions: string
  /** `expired`: the user's page has not sent the Solana transaction. */
  state: SponsoredOperation['state'] | 'expired'
  /** The maximum fee, and the paid one once the operation is in a block. Zero on a test network. */
  cents: number
  created_at: number
  /** When the latest transaction was sent. 0 until a bundler has accepted the operation. */
  sent_at: number
  /** When a process looks at the operation next, or null if it is in a block. */
  due_at_ms: number | null
  /** When its outcome was stored, or null before. */
  settled_at: number | null
}

/** The lease of a relay's next nonce. The transaction that writes it is the only one that takes a nonce. */
type RelayTable = { id: string; locked_at: number }

export type OperationRow = OperationTable
export const sponsorTables = (reader: Reader) =>
  reader.withTables<{ sponsored_operations: OperationTable; sponsor_relays: RelayTable }>()

export const sponsorMigrations: Migrations = {
  '0001-operations': {
    async up({ schema }) {
      await schema
        .createTable('sponsored_operations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('chain_id', 'text', (column) => column.notNull())
        .addColumn('sender', 'text', (column) => column.notNull())
        .addColumn('signed', 'text', (column) => column.notNull())
        .addColumn('relay', 'text', (column) => column.notNull())
        .addColumn('relay_nonce', 'bigint')
        .addColumn('gas', 'bigint', (column) => column.notNull())
        .addColumn('max_fee', 'text', (column) => column.notNull())
        .addColumn('priority_fee', 'text', (column) => column.notNull())
        .addColumn('transactions', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('cents', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('sent_at', 'bigint', (column) => column.notNull())
        .addColumn('due_at_ms', 'bigint')
        .addColumn('settled_at', 'bigint')
        .execute()
      await schema
        .createIndex('sponsored_operations_of_app')
        .on('sponsored_operations')
        .columns(['app_id', 'created_at'])
        .execute()
      await schema
        .createIndex('sponsored_operations_of_user')
        .on('sponsored_operations')
        .columns(['user_id', 'created_at'])
        .execute()
      await schema
        .createIndex('sponsored_operations_by_age')
        .on('sponsored_operations')
        .column('created_at')
        .execute()
      await schema
        .createIndex('sponsored_operations_due')
        .on('sponsored_operations')
        .column('due_at_ms')
        .execute()
      await schema
        .createTable('sponsor_relays')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('locked_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}
