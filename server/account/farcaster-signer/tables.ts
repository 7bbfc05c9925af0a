import type { SignerStatus } from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A Farcaster signer: a key that a wallet derives to write for an account. */
type SignerTable = {
  wallet_id: string
  key_index: number
  app_id: string
  user_id: string
  /** The Farcaster account that the signer is for. */
  fid: number
  /** The operation of the latest share release. Only this operation may register the public key. */
  operation: string
  /** The key as hex. Null until the vault reports it, then immutable. */
  public_key: string | null
  status: SignerStatus
  /** The token of the latest Farcaster request, or null. */
  request_token: string | null
  approval_url: string | null
  /** When the request expires. */
  deadline: number
  created_at: number
}

export type SignerTables = { farcaster_signers: SignerTable }
export const signerTables = (reader: Reader) => reader.withTables<SignerTables>()

export const signerMigrations: Migrations = {
  '0001-signers': {
    async up({ schema }) {
      await schema
        .createTable('farcaster_signers')
        .addColumn('wallet_id', 'text', (column) => column.notNull())
        .addColumn('key_index', 'integer', (column) => column.notNull())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('fid', 'bigint', (column) => column.notNull())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text')
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('request_token', 'text')
        .addColumn('approval_url', 'text')
        .addColumn('deadline', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('farcaster_signers_key', ['wallet_id', 'key_index'])
        .execute()
      await schema
        .createIndex('farcaster_signers_by_user')
        .on('farcaster_signers')
        .columns(['user_id', 'app_id'])
        .execute()
    },
  },
}
