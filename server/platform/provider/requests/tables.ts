import type { CrossAppResult } from '@latchkey/protocol/api'
import type { Migrations } from '../../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../../kernel/ports.ts'

type Failure = Extract<CrossAppResult, { status: 'failed' }>['error']

/** What an app asks of a wallet, for minutes. */
type RequestTable = {
  /** Hash of the handle: who can read the database can read no request with it. */
  id: string
  app_id: string
  user_id: string
  connection_id: string
  client_id: string
  /** JSON, as its operator registered it. */
  requester: string
  address: string
  kind: 'message' | 'typed_data' | 'transaction'
  /** Sealed: what is signed. */
  request: string
  /** What a transaction moves and costs; null for all else, and where nobody asks. */
  cents: number | null
  /** `read`: by the one page that answers it. `sending`: the chain may have it. */
  state: 'open' | 'read' | 'sending' | 'completed' | 'failed'
  /** The session of the page that read it. */
  session_id: string | null
  /** Sealed: the answer; while it is sent, the signed transaction. */
  result: string | null
  error: Failure | null
  /** When it was last given to the chain. */
  sent_at: number | null
  expires_at: number
}

/** What an app had sent, until a day later. */
type SpendingTable = {
  request_id: string
  user_id: string
  connection_id: string
  cents: number
  expires_at: number
}

export type RequestRow = RequestTable
export const requestTables = (reader: Reader) =>
  reader.withTables<{ cross_app_requests: RequestTable; cross_app_spending: SpendingTable }>()

export const requestMigrations: Migrations = {
  '0001-requests': {
    async up({ schema }) {
      await schema
        .createTable('cross_app_requests')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('connection_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('requester', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('request', 'text', (column) => column.notNull())
        .addColumn('cents', 'bigint')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('result', 'text')
        .addColumn('error', 'text')
        .addColumn('sent_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('cross_app_requests_of_connection')
        .on('cross_app_requests')
        .columns(['connection_id', 'state'])
        .execute()
      await schema
        .createIndex('cross_app_requests_of_user')
        .on('cross_app_requests')
        .column('user_id')
        .execute()
      await schema
        .createIndex('cross_app_requests_by_end')
        .on('cross_app_requests')
        .column('expires_at')
        .execute()
      await schema
        .createTable('cross_app_spending')
        .addColumn('request_id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('connection_id', 'text', (column) => column.notNull())
        .addColumn('cents', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('cross_app_spending_of_connection')
        .on('cross_app_spending')
        .columns(['connection_id', 'expires_at'])
        .execute()
      await schema
        .createIndex('cross_app_spending_of_user')
        .on('cross_app_spending')
        .column('user_id')
        .execute()
      await schema
        .createIndex('cross_app_spending_by_end')
        .on('cross_app_spending')
        .column('expires_at')
        .execute()
    },
  },
}
