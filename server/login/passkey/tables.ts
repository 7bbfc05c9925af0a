import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

/** The verification data of passkeys. The linked account with the same id contains the visible fields. */
type PasskeyTable = {
  app_id: string
  credential_id: string
  user_id: string
  /** COSE key, base64url. */
  public_key: string
  /** The last signature counter. 0 for authenticators without one. */
  counter: number
  /** The browser's transports, as a JSON array. */
  transports: string
  created_at: number
}

export type PasskeyTables = { passkeys: PasskeyTable }
export const passkeyTables = (reader: Reader) => reader.withTables<PasskeyTables>()

export const passkeyMigrations: Migrations = {
  '0001-passkeys': {
    async up({ schema }) {
      await schema
        .createTable('passkeys')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('credential_id', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text', (column) => column.notNull())
        .addColumn('counter', 'bigint', (column) => column.notNull())
        .addColumn('transports', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('passkeys_key', ['app_id', 'credential_id'])
        .execute()
      await schema.createIndex('passkeys_of_user').on('passkeys').column('user_id').execute()
      // Challenges are stored in `challenges`. Servers of the previous release still write this table.
      await schema
        .createTable('passkey_challenges')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('challenge', 'text', (column) => column.notNull())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('binding', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('passkey_challenges_key', ['app_id', 'challenge'])
        .execute()
      await schema
        .createIndex('passkey_challenges_by_end')
        .on('passkey_challenges')
        .column('expires_at')
        .execute()
    },
  },
  '0002-windows': {
    // Windows are stored in `login_windows`. Servers of the previous release still write this table.
    async up({ schema }) {
      await schema
        .createTable('passkey_windows')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('binding', 'text', (column) => column.notNull())
        .addColumn('relay_challenge', 'text', (column) => column.notNull())
        .addColumn('ceremony', 'text', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('passkey_windows_by_end').on('passkey_windows').column('expires_at').execute()
    },
  },
  '0003-origin-of-windows': {
    async up({ schema }) {
      await schema.alterTable('passkey_windows').addColumn('origin', 'text').execute()
    },
  },
  '0004-passkeys-by-id': {
    async up({ schema }) {
      await schema.createIndex('passkeys_by_id').on('passkeys').column('credential_id').execute()
    },
  },
}
