import type { SignerStatus } from '@latchkey/protocol/wallet'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** One row a key that a wallet has derived to write for an account, or is about to. */
type SignerTable = {
  wallet_id: string
  key_index: number
  app_id: string
  user_id: string
  /** The Farcaster account that the signer is for. */
  fid: number
  /** The operation that the wallet's share was released for last: it alone may say the key and have it asked for. */
  operation: string
  /** The key as hex. It is null until the vault has stated it, and never changes afterwards. */
  public_key: string | null
  status: SignerStatus
  /** What Farcaster was asked last; null until it was. */
  request_token: string | null
  approval_url: string | null
  /** The request may be approved until then. */
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
