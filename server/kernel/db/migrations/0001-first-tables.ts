/**
 * Uses text keys and integers only, which every SQL engine supports. There are no foreign keys: they cost a round trip
 * each on distributed engines, and related rows are written in one transaction.
 */
import type { Migration } from './migration.ts'

export const firstTables: Migration = {
  async up(db) {
    const { schema } = db

    await schema
      .createTable('apps')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('config', 'text', (column) => column.notNull())
      .addColumn('allowed_origins', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('session_mode', 'text', (column) => column.notNull())
      .addColumn('max_users', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('allowlist')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('allowlist_key', ['app_id', 'type', 'identifier'])
      .execute()

    await schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('accepted_terms_at', 'bigint')
      .execute()
    await schema.createIndex('users_of_app').on('users').columns(['app_id', 'created_at']).execute()

    await schema
      .createTable('linked_accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('profile', 'text', (column) => column.notNull())
      .addColumn('verified_at', 'bigint', (column) => column.notNull())
      .addColumn('first_verified_at', 'bigint', (column) => column.notNull())
      .addColumn('latest_verified_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('linked_accounts_once', ['app_id', 'type', 'identifier'])
      .execute()
    await schema.createIndex('linked_accounts_of_user').on('linked_accounts').column('user_id').execute()

    await schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('family_id', 'text', (column) => column.notNull())
      .addColumn('token_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('rotated_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('key_thumbprint', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .execute()
    await schema.createIndex('sessions_of_user').on('sessions').column('user_id').execute()
    await schema.createIndex('sessions_of_family').on('sessions').column('family_id').execute()
    await schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute()

    await schema
      .createTable('session_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('started_session_id', 'text')
      .execute()
    await schema.createIndex('session_codes_by_end').on('session_codes').column('expires_at').execute()

    await schema
      .createTable('codes')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('codes_key', ['app_id', 'purpose', 'identifier', 'binding'])
      .execute()
    await schema.createIndex('codes_by_end').on('codes').column('expires_at').execute()

    await schema
      .createTable('known_browsers')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_browsers_key', ['app_id', 'identifier', 'binding'])
      .execute()
    await schema.createIndex('known_browsers_by_age').on('known_browsers').column('last_seen_at').execute()

    await schema
      .createTable('attempts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('window_start', 'bigint', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('attempts_by_end').on('attempts').column('expires_at').execute()

    await schema
      .createTable('wallets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('chain_type', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('generation', 'bigint', (column) => column.notNull())
      .addColumn('address', 'text')
      .addColumn('recovery_method', 'text', (column) => column.notNull())
      .addColumn('auth_share', 'text')
      .addColumn('recovery_share', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('committed_at', 'bigint')
      .addUniqueConstraint('wallets_one_a_chain', ['user_id', 'chain_type'])
      .execute()

    await schema
      .createTable('server_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text')
      .addColumn('wrapped', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('retired_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .execute()

    await schema
      .createTable('instance')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('master_key_fingerprint', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('request_replays')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('kept', 'text')
      .addColumn('lease_id', 'text', (column) => column.notNull())
      .addColumn('lease_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('request_replays_key', ['app_id', 'request_id'])
      .execute()
    await schema.createIndex('request_replays_by_end').on('request_replays').column('expires_at').execute()

    await schema
      .createTable('analytics_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('event_name', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('analytics_by_age').on('analytics_events').columns(['created_at']).execute()

    await schema
      .createTable('audit_log')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('session_id', 'text')
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('audit_by_age').on('audit_log').column('created_at').execute()
    await schema.createIndex('audit_of_user').on('audit_log').columns(['user_id', 'created_at']).execute()
  },
}
