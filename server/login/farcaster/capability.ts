import { missingForChain } from '../../integrations/chains/chains.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import { farcasterChainId } from './message.ts'
import { createRelay, farcasterEnvironment, relay } from './relay.ts'
import { farcasterEndpoints } from './routes.ts'

/** Channels are stored in `challenges`. Servers of the previous release still write `farcaster_channels`. */
const farcasterMigrations: Migrations = {
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

const isMissingFor = missingForChain(farcasterChainId)

export const farcaster: Capability = {
  name: 'login/farcaster',
  endpoints: farcasterEndpoints,
  environment: farcasterEnvironment,
  ports: [
    port(relay, ({ config }) => ({
      value: createRelay(farcasterEnvironment.read(config).FARCASTER_RELAY_URL),
    })),
  ],
  logins: [{ method: 'farcaster', missing: isMissingFor }],
  thirdParties: (config) =>
    isMissingFor(config).length > 0
      ? []
      : [{ variable: 'FARCASTER_RELAY_URL', url: farcasterEnvironment.read(config).FARCASTER_RELAY_URL }],
  settings: ['farcasterAuth'],
  migrations: farcasterMigrations,
  restored: { drops: ['farcaster_channels'] },
  expiryRules: [
    { table: 'farcaster_channels', key: ['app_id', 'channel'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
