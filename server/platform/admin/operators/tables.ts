import type { OperatorRole } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import type { Migrations } from '../../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../../kernel/ports.ts'

export type OperatorRow = {
  id: string
  /** Lower case. */
  email: string
  role: OperatorRole
  /** The only app that the operator may act on, or null for every app. */
  app_id: string | null
  created_at: number
  revoked_at: number | null
  last_sign_in_at: number | null
  /** The issuer and subject of an operator of the OpenID provider. Null for an invited one. */
  issuer: string | null
  subject: string | null
}

/** An unused invitation link. */
type InvitationRow = {
  id: string
  /** SHA-256 of the secret in the link. */
  secret_hash: string
  operator_id: string
  expires_at: number
}

export type OperatorPasskeyRow = {
  credential_id: string
  operator_id: string
  /** COSE key, base64url. */
  public_key: string
  /** The last signature counter. 0 for authenticators without one. */
  counter: number
  created_at: number
}

type OperatorSessionRow = {
  /** SHA-256 of the cookie. It has 256 random bits, so it needs no slow hash. */
  token_hash: string
  operator_id: string
  created_at: number
  expires_at: number
  /** The hash of the session at the OpenID provider, which its logout tokens name. */
  provider_session: string | null
  /** The time at which the OpenID provider authenticated the operator, if it tells. */
  authenticated_at: number | null
}

/** The OpenID provider of operators. There is at most one. */
export type OperatorOidcRow = {
  id: typeof operatorOidcId
  name: string
  issuer: string
  client_id: string
  /** Wrapped. */
  client_secret: string
  /** The endpoints and abilities from the discovery document, as JSON. */
  metadata: string
  /** Separated by spaces. */
  scopes: string
  groups_claim: string
  /** The role of each group, as JSON. */
  grants: string
}
export const operatorOidcId = 'operators'

type OperatorTables = {
  operators: OperatorRow
  operator_invitations: InvitationRow
  operator_passkeys: OperatorPasskeyRow
  operator_sessions: OperatorSessionRow
  operator_oidc: OperatorOidcRow
}

export const withOperatorTables = (reader: Reader) => reader.withTables<OperatorTables>()

export const operatorMigrations: Migrations = {
  '0001-operators': {
    async up({ schema }) {
      await schema
        .createTable('operators')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('app_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('last_sign_in_at', 'bigint')
        .execute()
      // An e-mail address has one operator at a time. Revoked ones stay for the audit log.
      await schema
        .createIndex('operators_by_email')
        .on('operators')
        .column('email')
        .unique()
        .where(sql.ref('revoked_at'), 'is', null)
        .execute()
      await schema.createIndex('operators_by_end').on('operators').column('revoked_at').execute()

      await schema
        .createTable('operator_invitations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('operator_id', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('operator_invitations_by_end')
        .on('operator_invitations')
        .column('expires_at')
        .execute()

      await schema
        .createTable('operator_passkeys')
        .addColumn('credential_id', 'text', (column) => column.primaryKey())
        .addColumn('operator_id', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text', (column) => column.notNull())
        .addColumn('counter', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('passkeys_of_operator').on('operator_passkeys').column('operator_id').execute()

      await schema
        .createTable('operator_sessions')
        .addColumn('token_hash', 'text', (column) => column.primaryKey())
        .addColumn('operator_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      for (const [index, column] of [
        ['sessions_of_operator', 'operator_id'],
        ['operator_sessions_by_end', 'expires_at'],
      ] as const) {
        await schema.createIndex(index).on('operator_sessions').column(column).execute()
      }
    },
  },
  '0002-oidc': {
    async up({ schema }) {
      await schema
        .createTable('operator_oidc')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('issuer', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('client_secret', 'text', (column) => column.notNull())
        .addColumn('metadata', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('groups_claim', 'text', (column) => column.notNull())
        .addColumn('grants', 'text', (column) => column.notNull())
        .execute()
      await schema.alterTable('operators').addColumn('issuer', 'text').execute()
      await schema.alterTable('operators').addColumn('subject', 'text').execute()
      await schema
        .createIndex('operators_by_subject')
        .on('operators')
        .columns(['issuer', 'subject'])
        .unique()
        .execute()
      await schema.alterTable('operator_sessions').addColumn('provider_session', 'text').execute()
      await schema.alterTable('operator_sessions').addColumn('authenticated_at', 'bigint').execute()
      await schema
        .createIndex('operator_sessions_by_provider')
        .on('operator_sessions')
        .column('provider_session')
        .execute()
    },
  },
}
