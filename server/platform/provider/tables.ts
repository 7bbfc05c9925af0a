import { sql } from 'kysely'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** A stored object of the OpenID provider. */
type OpenidRecord = {
  /** Hash of kind, app and name, so that read access to the database reveals no token. */
  id: string
  app_id: string
  /** The name of the model in `oidc-provider`: `AccessToken`, `Grant`, `Interaction`. */
  kind: string
  user_id: string | null
  client_id: string | null
  grant_id: string | null
  /** Sealed. Names its pepper. */
  payload: string
  /** When it was used. Stored to detect reuse. */
  consumed_at: number | null
  expires_at: number
}

/** An authorization request that waits for the user, bound to the browser that began it. */
type AuthorizationRow = {
  /** Hash of the interaction id. */
  id: string
  app_id: string
  client_id: string
  /** The requested scopes, separated by spaces. */
  scopes: string
  /** Hash of the browser's cookie. */
  browser_hash: string
  /** The deciding user, and the decision as JSON. Null until then. */
  user_id: string | null
  decision: string | null
  /** Hash of the secret that the deciding page received. */
  secret_hash: string | null
  finished_at: number | null
  expires_at: number
}

/** An app that may request wallets of this app, registered by the operator. */
type RequesterRow = {
  app_id: string
  client_id: string
  name: string
  origin: string
  /** JSON array of exact redirect URLs. */
  redirect_addresses: string
  /** The client's public key as a JWK, or null for a public client. */
  jwk: string | null
  created_at: number
}

/** A user's grant for a client. Each user and client has at most one active row. */
type ConnectedAppRow = {
  id: string
  app_id: string
  user_id: string
  client_id: string
  scopes: string
  address: string
  daily_usd: number | null
  created_at: number
  last_used_at: number | null
  ended_at: number | null
}

type ProviderTables = {
  openid_records: OpenidRecord
  openid_authorizations: AuthorizationRow
  cross_app_requesters: RequesterRow
  connected_apps: ConnectedAppRow
}
export const providerTables = (reader: Reader) => reader.withTables<ProviderTables>()
export type { AuthorizationRow, ConnectedAppRow, OpenidRecord, RequesterRow }

export const providerMigrations: Migrations = {
  '0001-provider': {
    async up({ schema }) {
      await schema
        .createTable('openid_records')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text')
        .addColumn('client_id', 'text')
        .addColumn('grant_id', 'text')
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('consumed_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('openid_records_by_grant').on('openid_records').column('grant_id').execute()
      await schema
        .createIndex('openid_records_by_user')
        .on('openid_records')
        .columns(['user_id', 'client_id'])
        .execute()
      await schema
        .createIndex('openid_records_by_client')
        .on('openid_records')
        .columns(['app_id', 'client_id'])
        .execute()
      await schema.createIndex('openid_records_by_end').on('openid_records').column('expires_at').execute()

      await schema
        .createTable('openid_authorizations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('browser_hash', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text')
        .addColumn('decision', 'text')
        .addColumn('secret_hash', 'text')
        .addColumn('finished_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('openid_authorizations_by_user')
        .on('openid_authorizations')
        .column('user_id')
        .execute()
      await schema
        .createIndex('openid_authorizations_by_end')
        .on('openid_authorizations')
        .column('expires_at')
        .execute()

      await schema
        .createTable('cross_app_requesters')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('origin', 'text', (column) => column.notNull())
        .addColumn('redirect_addresses', 'text', (column) => column.notNull())
        .addColumn('jwk', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('cross_app_requesters_key', ['app_id', 'client_id'])
        .execute()

      await schema
        .createTable('connected_apps')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('daily_usd', 'integer')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .execute()
      await schema
        .createIndex('connected_apps_living')
        .unique()
        .on('connected_apps')
        .columns(['user_id', 'client_id', 'app_id'])
        .where(sql.ref('ended_at'), 'is', null)
        .execute()
      await schema
        .createIndex('connected_apps_by_client')
        .on('connected_apps')
        .columns(['app_id', 'client_id'])
        .execute()
      await schema.createIndex('connected_apps_by_end').on('connected_apps').column('ended_at').execute()
    },
  },
}
