import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

type AdminKeyRow = {
  id: string
  name: string
  operator: string | null
  /** SHA-256 of the secret. It has 256 random bits, so it needs no slow hash. */
  secret_hash: string
  /** Separated by spaces. */
  scopes: string
  /** The only app that the key may act on, or null for every app. */
  app_id: string | null
  /** Networks of accepted clients, separated by spaces. Empty for any client. */
  networks: string
  created_at: number
  expires_at: number
  revoked_at: number | null
  /** The start of the last day on which the key was used, in epoch seconds. */
  last_used_day: number | null
}

type AdminAnswerRow = {
  key_id: string
  idempotency_key: string
  /** Hash of method, path, conditions and body. Another request with the same key is rejected. */
  request_hash: string
  /** JSON of the status, the digest and the body. Null while the transaction of the call runs. */
  answer: string | null
  expires_at: number
}

export type AdminAuditRow = {
  /** The app, or empty for calls without an app. */
  chain: string
  /** Starts at 1 and has no gaps. */
  sequence: number
  at: number
  /** A key id, or `command`. */
  actor: string
  /** The name of the call, or the event of a command. */
  operation: string
  /** The scopes of which the call needs one, separated by spaces. */
  scope: string
  user_id: string | null
  /** Another target, such as a session or an admin key. */
  target: string | null
  status: number
  /** An error code, `ok` or `replayed`. */
  result: string
  request_id: string
  before_digest: string | null
  after_digest: string | null
  address: string | null
  /** Hash of the previous entry, or empty for the first one. */
  prev: string
  /** When the previous entry was written, or 0 for the first one. */
  prev_at: number
  hash: string
}

/** The last entry of each chain. Its row lock orders the entries. */
type AdminAuditHeadRow = { chain: string; sequence: number; hash: string; at: number }

export type ProposalRow = {
  id: string
  app_id: string
  /** JSON of the proposed settings, or null. */
  settings: string | null
  /** JSON of the proposed registration of a requester, or null. */
  requester: string | null
  /** JSON of the values that the change replaces. */
  replaces: string
  /** Settings that the change widens, separated by spaces. */
  widens: string
  note: string | null
  state: 'proposed' | 'approved' | 'applied' | 'cancelled'
  /** `AdminCaller.id`, or null for commands. */
  proposed_caller: string | null
  proposed_by: string
  proposed_at: number
  approved_caller: string | null
  approved_by: string | null
  approved_at: number | null
  /** When it can be applied. Null until it is approved. */
  due_at: number | null
  /** When it can no longer be approved, or applied. */
  expires_at: number
  ended_by: string | null
  ended_at: number | null
}

/** A request of an operator that waits for another one. A user has one at most. */
export type FactorResetRow = {
  user_id: string
  app_id: string
  /** The id of `AdminCaller`. */
  caller: string
  operator: string
  requested_at: number
  expires_at: number
}

type AdminTables = {
  factor_resets: FactorResetRow
  app_proposals: ProposalRow
  admin_keys: AdminKeyRow
  admin_answers: AdminAnswerRow
  admin_audit: AdminAuditRow
  admin_audit_heads: AdminAuditHeadRow
}

/** Adds the tables of the Admin API to a reader. */
export const withAdminTables = (reader: Reader) => reader.withTables<AdminTables>()

export const adminMigrations: Migrations = {
  '0001-tables': {
    async up({ schema }) {
      await schema
        .createTable('admin_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('app_id', 'text')
        .addColumn('networks', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('last_used_day', 'bigint')
        .execute()
      await schema.createIndex('admin_keys_by_end').on('admin_keys').column('expires_at').execute()

      await schema
        .createTable('admin_answers')
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('idempotency_key', 'text', (column) => column.notNull())
        .addColumn('request_hash', 'text', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('admin_answers_key', ['key_id', 'idempotency_key'])
        .execute()
      await schema.createIndex('admin_answers_by_end').on('admin_answers').column('expires_at').execute()

      await schema
        .createTable('admin_audit')
        .addColumn('chain', 'text', (column) => column.notNull())
        .addColumn('sequence', 'bigint', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text')
        .addColumn('target', 'text')
        .addColumn('status', 'bigint', (column) => column.notNull())
        .addColumn('result', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text', (column) => column.notNull())
        .addColumn('before_digest', 'text')
        .addColumn('after_digest', 'text')
        .addColumn('address', 'text')
        .addColumn('prev', 'text', (column) => column.notNull())
        .addColumn('prev_at', 'bigint', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('admin_audit_key', ['chain', 'sequence'])
        .execute()
      await schema.createIndex('admin_audit_by_age').on('admin_audit').column('at').execute()

      await schema
        .createTable('admin_audit_heads')
        .addColumn('chain', 'text', (column) => column.primaryKey())
        .addColumn('sequence', 'bigint', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0002-audit-filters': {
    async up({ schema }) {
      for (const [index, column] of [
        ['admin_audit_by_operation', 'operation'],
        ['admin_audit_by_user', 'user_id'],
      ] as const) {
        await schema.createIndex(index).on('admin_audit').columns(['chain', column, 'sequence']).execute()
      }
    },
  },
  '0003-proposals': {
    async up({ schema }) {
      await schema.alterTable('admin_keys').addColumn('operator', 'text').execute()
      await schema
        .createTable('app_proposals')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('settings', 'text')
        .addColumn('requester', 'text')
        .addColumn('replaces', 'text', (column) => column.notNull())
        .addColumn('widens', 'text', (column) => column.notNull())
        .addColumn('note', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('proposed_caller', 'text')
        .addColumn('proposed_by', 'text', (column) => column.notNull())
        .addColumn('proposed_at', 'bigint', (column) => column.notNull())
        .addColumn('approved_caller', 'text')
        .addColumn('approved_by', 'text')
        .addColumn('approved_at', 'bigint')
        .addColumn('due_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_by', 'text')
        .addColumn('ended_at', 'bigint')
        .execute()
      await schema
        .createIndex('app_proposals_by_app')
        .on('app_proposals')
        .columns(['app_id', 'proposed_at', 'id'])
        .execute()
      await schema.createIndex('app_proposals_by_end').on('app_proposals').column('expires_at').execute()
    },
  },
  '0004-factor-resets': {
    async up({ schema }) {
      await schema
        .createTable('factor_resets')
        .addColumn('user_id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('caller', 'text', (column) => column.notNull())
        .addColumn('operator', 'text', (column) => column.notNull())
        .addColumn('requested_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('factor_resets_by_end').on('factor_resets').column('expires_at').execute()
    },
  },
}
