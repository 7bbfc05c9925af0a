import { type RawBuilder, sql } from 'kysely'
import { type ExecutorProvider, isPostgres } from '../../kernel/db/is-postgres.ts'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'

/** The last characters of a wallet identifier: an Ethereum address without the chain of its contract. */
export const contractAddress = sql<string>`substr(identifier, length(identifier) - 41)`
/** Matches the accounts of contract wallets: `eip155:8453:0x…`. */
export const isContractWallet = sql<boolean>`type = 'wallet' and substr(identifier, 1, 7) = 'eip155:'`

/** Returns the identifier with the order of its bytes, in which all identifiers with one prefix are adjacent. */
export const identifierBytes = (db: ExecutorProvider): RawBuilder<string> =>
  isPostgres(db) ? sql`identifier collate "C"` : sql`identifier`

/** The rest of a profile after the start of its e-mail address. */
const fromAddress = sql<string>`substr(profile, instr(profile, '"email":"') + 9)`

/**
 * Returns the e-mail address in an account's profile, or null. It matches the text, because JSON functions reject texts
 * such as `"\u0000"`, and an index on them would refuse accounts with such a text.
 */
export const selectProviderAddress = (db: ExecutorProvider): RawBuilder<string | null> =>
  isPostgres(db)
    ? sql`lower(substring(profile from '"email":"([^"]*)"'))`
    : sql`case when instr(profile, '"email":"') > 0
        then lower(substr(${fromAddress}, 1, instr(${fromAddress}, '"') - 1)) end`

export const userMigrations: Migrations = {
  '0001-look-ups': {
    async up(db) {
      const { schema } = db
      const address = selectProviderAddress(db)
      await schema
        .createIndex('linked_accounts_by_provider_address')
        .on('linked_accounts')
        .expression(address)
        .where(sql<boolean>`${address} is not null`)
        .execute()
      await schema
        .createIndex('linked_accounts_by_contract')
        .on('linked_accounts')
        .expression(contractAddress)
        .where(isContractWallet)
        .execute()
    },
  },
  '0002-blocks': {
    async up({ schema }) {
      await schema.alterTable('users').addColumn('blocked_at', 'bigint').execute()
      await schema.alterTable('users').addColumn('block_reason', 'text').execute()
    },
  },
  '0003-pages': {
    async up(db) {
      const { schema } = db
      await schema
        .createIndex('users_by_age')
        .on('users')
        .columns(['app_id', 'created_at', 'id'])
        .where(sql.ref('deleted_at'), 'is', null)
        .execute()
      await schema
        .createIndex('users_by_block')
        .on('users')
        .columns(['app_id', 'created_at', 'id'])
        .where(sql.ref('blocked_at'), 'is not', null)
        .execute()
      // SQLite compares bytes, so its unique index finds prefixes already.
      if (!isPostgres(db)) return
      await schema
        .createIndex('linked_accounts_by_prefix')
        .on('linked_accounts')
        .expression(sql`app_id, type, identifier collate "C"`)
        .execute()
    },
  },
  '0004-metadata': {
    async up({ schema }) {
      await schema
        .createTable('user_metadata')
        .addColumn('user_id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('public', 'text', (column) => column.notNull())
        .addColumn('private', 'text', (column) => column.notNull())
        .execute()
      await schema
        .createTable('external_ids')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('external_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull().unique())
        .addPrimaryKeyConstraint('external_ids_key', ['app_id', 'external_id'])
        .execute()
    },
  },
  '0005-expected-accounts': {
    async up({ schema }) {
      await schema
        .createTable('expected_accounts')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('identifier', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('expected_accounts_key', ['app_id', 'type', 'identifier'])
        .execute()
      await schema
        .createIndex('expected_accounts_by_user')
        .on('expected_accounts')
        .column('user_id')
        .execute()
    },
  },
}
