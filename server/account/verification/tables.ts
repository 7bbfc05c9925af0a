import type { MfaMethodType } from '@latchkey/protocol'
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** One row a user and method: from `pending` to `enrolled`, once. */
type MfaMethodTable = {
  id: string
  app_id: string
  user_id: string
  method: MfaMethodType
  status: 'pending' | 'enrolled'
  /** The secret of an authenticator app, wrapped under its own key-encryption key. */
  secret: string | null
  /** The latest step of time whose code was taken; that one and all before it verify no more. */
  last_step: number
  phone_number: string | null
  /** Whose enrolment it is; null once it is enrolled. */
  session_id: string | null
  /** Whether a verification began the enrolment. */
  is_verified: 0 | 1
  begun_at: number
  enrolled_at: number | null
  /** When what it verifies by last became something else: the list of passkeys. */
  changed_at: number | null
  /** When an enrolment that was not completed expires. */
  expires_at: number | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    mfa_methods: MfaMethodTable
  }
}

/** What one verification is worth, until it is used. */
type VerificationTable = {
  token_hash: string
  app_id: string
  user_id: string
  session_id: string
  operation_id: string
  purpose: WalletPurpose
  /** Empty where its token names no wallet. */
  wallet_id: string
  method: MfaMethodType
  expires_at: number
}

/** Tries of a user with a method since the last one that was right. */
type TryTable = {
  user_id: string
  method: MfaMethodType
  count: number
  locked_until: number
  expires_at: number
}

export type VerificationTables = { mfa_verifications: VerificationTable; mfa_tries: TryTable }
export const verificationTables = (reader: Reader) => reader.withTables<VerificationTables>()

export const verificationMigrations: Migrations = {
  '0001-verifications': {
    async up({ schema }) {
      await schema
        .createTable('mfa_verifications')
        .addColumn('token_hash', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('operation_id', 'text', (column) => column.notNull())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('wallet_id', 'text', (column) => column.notNull())
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('mfa_verifications_by_end')
        .on('mfa_verifications')
        .column('expires_at')
        .execute()
      await schema
        .createTable('mfa_tries')
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('mfa_tries_key', ['user_id', 'method'])
        .execute()
      await schema.createIndex('mfa_tries_by_end').on('mfa_tries').column('expires_at').execute()
    },
  },
}
