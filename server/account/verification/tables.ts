import type { MfaMethodType } from '@latchkey/protocol'
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A second factor of a user. There is one row per user and method, which changes from `pending` to `enrolled` once. */
type MfaMethodTable = {
  id: string
  app_id: string
  user_id: string
  method: MfaMethodType
  status: 'pending' | 'enrolled'
  /** The authenticator secret, wrapped under a separate key encryption key. */
  secret: string | null
  /** The latest time step with an accepted code. This step and earlier ones are rejected. */
  last_step: number
  phone_number: string | null
  /** The enrolling session, or null after the enrolment. */
  session_id: string | null
  /** Whether the enrolment began with a verification. */
  is_verified: 0 | 1
  begun_at: number
  enrolled_at: number | null
  /** When the list of passkeys last changed. */
  changed_at: number | null
  /** When a pending enrolment expires. */
  expires_at: number | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    mfa_methods: MfaMethodTable
  }
}

/** A successful verification that was not consumed yet. */
type VerificationTable = {
  token_hash: string
  app_id: string
  user_id: string
  session_id: string
  operation_id: string
  purpose: WalletPurpose
  /** Empty if the token names no wallet. */
  wallet_id: string
  method: MfaMethodType
  expires_at: number
}

/** Failed attempts of a user with a method since the last success. */
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
