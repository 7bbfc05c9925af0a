import type { Migration } from 'kysely'
import type { Reader } from '../../kernel/ports.ts'

/** One row a message that may still come. A nonce is no secret: it is worth nothing without the signature. */
type NonceTable = {
  app_id: string
  nonce: string
  /** The address with its checksum. */
  address: string
  /** Hash of the login-binding header; empty for a client that sends none. */
  binding: string
  /** The origin of the page that asks the wallet. */
  origin: string
  created_at: number
  expires_at: number
  /** The call that asks whether its signature is right; no other asks meanwhile. Null where none does. */
  held_by: string | null
}

export type SiweTables = { siwe_nonces: NonceTable }
export const siweTables = (reader: Reader) => reader.withTables<SiweTables>()

export const siweMigrations: Readonly<Record<string, Migration>> = {
  '0001-nonces': {
    async up({ schema }) {
      await schema
        .createTable('siwe_nonces')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('nonce', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('binding', 'text', (column) => column.notNull())
        .addColumn('origin', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('siwe_nonces_key', ['app_id', 'nonce'])
        .execute()
      await schema.createIndex('siwe_nonces_by_end').on('siwe_nonces').column('expires_at').execute()
      // A wallet of ours is no way in, so each login looks whether the address is one.
      await schema.createIndex('wallets_by_address').on('wallets').columns(['app_id', 'address']).execute()
    },
  },
  '0002-held-nonces': {
    async up({ schema }) {
      await schema.alterTable('siwe_nonces').addColumn('held_by', 'text').execute()
    },
  },
}
