import type {
  ConfirmableRequest,
  ConfirmationPlace,
  ConfirmationReason,
  ConfirmationState,
} from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A request that waits for the user's approval, for a few minutes. */
type ConfirmationTable = {
  /** Hash of the handle, so that read access to the database cannot approve. */
  id: string
  app_id: string
  user_id: string
  session_id: string
  /** `noWallet` for an account action that names no wallet. */
  wallet_id: string
  /** The displayed address, or empty if the user has no wallet. */
  address: string
  /** JSON as received. Emptied when the request is used or refused. */
  request: string
  /** The size of the request. */
  bytes: number
  digest: string
  kind: 'message' | 'account' | 'typed_data' | 'transaction' | 'operation' | 'delegation'
  method: ConfirmableRequest['method']
  chain_id: string | null
  target: string | null
  value: string | null
  place: ConfirmationPlace
  reason: ConfirmationReason
  /** The value moved plus the fee, or null if unknown. */
  cents: number | null
  /** The names of the budgets it counts against unless approved on the page, separated by spaces. */
  counts_as: string | null
  /** The origin of the requesting page. */
  origin: string | null
  /** JSON: the self-declared name and URL of a dapp that uses a relay. */
  requester: string | null
  state: Exclude<ConfirmationState, 'expired'>
  on_page: 0 | 1
  expires_at: number
}

/** Budget usage of a wallet, stored for one day. */
type SpendingTable = {
  /** The confirmation and the budget: a confirmation has one row for each of its budgets. */
  confirmation_id: string
  /** The row outlives the confirmation and is deleted with the user. */
  user_id: string
  wallet_id: string
  /** The name of the budget. */
  counted_as: string
  /** The amount in cents, or 1 for a budget that counts uses. */
  cents: number
  expires_at: number
}

export type ConfirmationTables = { confirmations: ConfirmationTable; wallet_spending: SpendingTable }
export type ConfirmationRow = ConfirmationTable
export const noWallet = ''
export const confirmationTables = (reader: Reader) => reader.withTables<ConfirmationTables>()

export const confirmationMigrations: Migrations = {
  '0001-confirmations': {
    async up({ schema }) {
      await schema
        .createTable('confirmations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('wallet_id', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('request', 'text', (column) => column.notNull())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('chain_id', 'text')
        .addColumn('target', 'text')
        .addColumn('value', 'text')
        .addColumn('place', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('cents', 'bigint')
        .addColumn('counts_as', 'text')
        .addColumn('origin', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('on_page', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('confirmations_of_session')
        .on('confirmations')
        .columns(['session_id', 'state'])
        .execute()
      await schema.createIndex('confirmations_by_end').on('confirmations').column('expires_at').execute()
      await schema
        .createTable('wallet_spending')
        .addColumn('confirmation_id', 'text', (column) => column.primaryKey())
        .addColumn('wallet_id', 'text', (column) => column.notNull())
        .addColumn('counted_as', 'text', (column) => column.notNull())
        .addColumn('cents', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('wallet_spending_of_wallet')
        .on('wallet_spending')
        .columns(['wallet_id', 'expires_at'])
        .execute()
      await schema.createIndex('wallet_spending_by_end').on('wallet_spending').column('expires_at').execute()
    },
  },
  '0002-spending-of-user': {
    async up(db) {
      // Earlier rows have no user. They expire within a day.
      await db.schema
        .alterTable('wallet_spending')
        .addColumn('user_id', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await db.schema.createIndex('wallet_spending_of_user').on('wallet_spending').column('user_id').execute()
    },
  },
  '0003-requester': {
    async up(db) {
      await db.schema.alterTable('confirmations').addColumn('requester', 'text').execute()
    },
  },
}
