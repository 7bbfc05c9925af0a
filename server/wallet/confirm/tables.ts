import type {
  ConfirmableRequest,
  ConfirmationPlace,
  ConfirmationReason,
  ConfirmationState,
} from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** What is waiting to be signed or done, for minutes. */
type ConfirmationTable = {
  /** Hash of the handle: who can read the database can not approve. */
  id: string
  app_id: string
  user_id: string
  session_id: string
  /** `noWallet` for what is done with the account, and names none. */
  wallet_id: string
  /** The address that is shown; empty where the user has none. */
  address: string
  /** JSON, as it came; empty once it is used or refused. */
  request: string
  /** The size of the request. */
  bytes: number
  digest: string
  kind: 'message' | 'account' | 'typed_data' | 'transaction'
  method: ConfirmableRequest['method']
  chain_id: string | null
  target: string | null
  value: string | null
  place: ConfirmationPlace
  reason: ConfirmationReason
  /** What it moves and costs; null where nobody knows. */
  cents: number | null
  /** The budgets that it counts against, unless it is approved on the page, with a space between. */
  counts_as: string | null
  /** The origin of the page that asks. */
  origin: string | null
  /** JSON: the dapp that asks through a relay, as it says itself. */
  requester: string | null
  state: Exclude<ConfirmationState, 'expired'>
  on_page: 0 | 1
  expires_at: number
}

/** What one wallet has moved or done, until a day later. */
type SpendingTable = {
  /** The confirmation that counts: one that counts against several budgets has a row of each. */
  confirmation_id: string
  /** It outlives the confirmation, and goes with the user. */
  user_id: string
  wallet_id: string
  /** The budget. */
  counted_as: string
  /** Or one, where the budget is of times. */
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
      // What was spent before this has nobody's name, and is over within a day.
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
