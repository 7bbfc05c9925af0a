import type { Migration } from 'kysely'
import type { Reader } from '../../kernel/ports.ts'

/** One row a channel that may still be approved. */
type ChannelTable = {
  app_id: string
  /** Hash of the channel token. */
  channel: string
  nonce: string
  /** Hash of the login-binding header; empty for a client that sends none. */
  binding: string
  /** The origin of the page that asks. */
  origin: string
  /** What the relay said once the person had approved: it says it only once. */
  approval: string | null
  created_at: number
  expires_at: number
}

export type FarcasterTables = { farcaster_channels: ChannelTable }
export const farcasterTables = (reader: Reader) => reader.withTables<FarcasterTables>()

export const farcasterMigrations: Readonly<Record<string, Migration>> = {
  '0001-channels': {
    async up({ schema }) {
      await schema
        .createTable('farcaster_channels')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('channel', 'text', (column) => column.notNull())
        .addColumn('nonce', 'text', (column) => column.notNull())
        .addColumn('binding', 'text', (column) => column.notNull())
        .addColumn('origin', 'text', (column) => column.notNull())
        .addColumn('approval', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('farcaster_channels_key', ['app_id', 'channel'])
        .execute()
      await schema
        .createIndex('farcaster_channels_by_end')
        .on('farcaster_channels')
        .column('expires_at')
        .execute()
    },
  },
}
