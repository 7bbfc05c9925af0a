import type { CrossAppResult } from '@latchkey/protocol/api'
import type { Migrations } from '../../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../../kernel/ports.ts'

type Failure = Extract<CrossAppResult, { status: 'failed' }>['error']

/** A requester's signature request, stored for a few minutes. */
type RequestTable = {
  /** Hash of the handle, so that read access to the database cannot open a request. */
  id: string
  app_id: string
  user_id: string
  connection_id: string
  client_id: string
  /** The registered requester as JSON. */
  requester: string
  address: string
  kind: 'message' | 'typed_data' | 'transaction'
  /** The request to sign. Sealed. */
  request: string
  /** The value moved plus the fee of a transaction. Null for other kinds and for an unknown value. */
  cents: number | null
  /** `read`: bound to the page that answers it. `sending`: may have reached the chain. */
  state: 'open' | 'read' | 'sending' | 'completed' | 'failed'
  /** The session of the answering page. */
  session_id: string | null
  /** The result, or the signed transaction while it is being sent. Sealed. */
  result: string | null
  error: Failure | null
  /** When it was last sent to the RPC node. */
  sent_at: number | null
  expires_at: number
}

/** The value of a transaction that an app sent, stored for one day. */
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
