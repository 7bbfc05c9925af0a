/** Stores the OpenID providers of apps, and used logout tokens. */
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type ProviderRow = {
  app_id: string
  id: string
  name: string
  issuer: string
  client_id: string
  /** Wrapped. */
  client_secret: string
  /** The endpoints and abilities from the discovery document, as JSON. */
  metadata: string
  created_at: number
  disabled_at: number | null
}
type UsedTokenRow = { hash: string; expires_at: number }

const providers = 'oidc_providers'
const usedTokens = 'oidc_logout_tokens'
const tablesIn = (reader: Reader) =>
  reader.withTables<{ oidc_providers: ProviderRow; oidc_logout_tokens: UsedTokenRow }>()

export const oidcTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable(providers)
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_secret', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${providers}_key`, ['app_id', 'id'])
      .execute()
    // A second provider with the same issuer would share its accounts.
    await schema
      .createIndex(`${providers}_by_issuer`)
      .unique()
      .on(providers)
      .columns(['app_id', 'issuer'])
      .execute()
    await schema
      .createTable(usedTokens)
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex(`${usedTokens}_by_expiry`).on(usedTokens).column('expires_at').execute()
  },
}

/** A disabled provider keeps its id and issuer. */
export const disabledProviders: Migration = {
  async up({ schema }) {
    await schema.alterTable(providers).addColumn('disabled_at', 'bigint').execute()
  },
}

export const findProviders = (reader: Reader, appId: string): Promise<ProviderRow[]> =>
  tablesIn(reader)
    .selectFrom(providers)
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findProvider = (reader: Reader, appId: string, id: string): Promise<ProviderRow | undefined> =>
  tablesIn(reader)
    .selectFrom(providers)
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns false if the app has a provider with this id or issuer already. */
export async function insertProvider(reader: Reader, row: ProviderRow): Promise<boolean> {
  const inserted = await tablesIn(reader)
    .insertInto(providers)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Changes a provider. Returns undefined if it was removed, or replaced by one of another issuer. */
export const changeProvider = (
  reader: Reader,
  { app_id, id, issuer }: Pick<ProviderRow, 'app_id' | 'id' | 'issuer'>,
  change: Partial<Pick<ProviderRow, 'name' | 'client_secret' | 'metadata' | 'disabled_at'>>,
): Promise<ProviderRow | undefined> =>
  tablesIn(reader)
    .updateTable(providers)
    .set({ app_id, ...change })
    .where('app_id', '=', app_id)
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .returningAll()
    .executeTakeFirst()

/** Returns false if there was none. */
export async function removeProvider(reader: Reader, appId: string, id: string): Promise<boolean> {
  const removed = await tablesIn(reader)
    .deleteFrom(providers)
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/** Returns false if the logout token was used before. */
export async function useLogoutToken(reader: Reader, row: UsedTokenRow): Promise<boolean> {
  const inserted = await tablesIn(reader)
    .insertInto(usedTokens)
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}
