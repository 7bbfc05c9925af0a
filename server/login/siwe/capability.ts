import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import { type Capability, needsNoVariables } from '../../kernel/capability.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import { environmentPart } from '../../kernel/environment.ts'
import type { PageSources } from '../../kernel/http/pages/page-sources.ts'
import { siweEndpoints } from './routes.ts'

/**
 * The WalletConnect relay, through which browsers reach wallets on other devices. Only browsers connect to it; a
 * wallet's signature is verified regardless of the transport.
 */
const socketAddress = v.pipe(
  v.string(),
  v.check((value) => {
    const url = URL.parse(value)
    // The client adds its own query, and the page's policy names the origin.
    return url !== null && /^wss?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  }, 'must be a WebSocket address without a query, as wss://relay.walletconnect.org'),
)

const relayEnvironment = environmentPart(
  {
    WALLETCONNECT_RELAY_URL: v.optional(socketAddress, 'wss://relay.walletconnect.org'),
  },
  {
    WALLETCONNECT_RELAY_URL:
      'The relay that connects browsers with wallets on phones. It is used by apps with a `wallet_connect_cloud_project_id`.',
  },
)

const relayUrl = (config: ServerConfig): string => relayEnvironment.read(config).WALLETCONNECT_RELAY_URL

/** The relay requires a project id. */
const isUsedBy = ({ config: { walletAuth, dappConnections, walletConnectCloudProjectId } }: App) =>
  (walletAuth || dappConnections) && walletConnectCloudProjectId !== null

const relayAddresses = (app: App, config: ServerConfig) =>
  isUsedBy(app) ? { walletConnect: relayUrl(config) } : {}

const relaySources = (app: App, config: ServerConfig): PageSources =>
  isUsedBy(app) ? { connect: [new URL(relayUrl(config)).origin] } : {}

/** Nonces are stored in `challenges`. Servers of the previous release still write `siwe_nonces`. */
const siweMigrations: Migrations = {
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
      // Each login checks whether the address is an embedded wallet, which can not log in.
      await schema.createIndex('wallets_by_address').on('wallets').columns(['app_id', 'address']).execute()
    },
  },
  '0002-held-nonces': {
    async up({ schema }) {
      await schema.alterTable('siwe_nonces').addColumn('held_by', 'text').execute()
    },
  },
}

export const siwe: Capability = {
  name: 'login/siwe',
  endpoints: siweEndpoints,
  logins: [{ method: 'wallet', missing: needsNoVariables }],
  settings: ['walletAuth', 'solanaWalletAuth', 'walletConnectCloudProjectId', 'dappConnections'],
  environment: relayEnvironment,
  addresses: relayAddresses,
  sources: relaySources,
  migrations: siweMigrations,
  restored: { drops: ['siwe_nonces'] },
  expiryRules: [
    { table: 'siwe_nonces', key: ['app_id', 'nonce'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
