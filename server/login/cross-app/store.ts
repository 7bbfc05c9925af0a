/** Stores the cross-app providers of apps. */

import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type ProviderRow = {
  id: string
  app_id: string
  provider_app_id: string
  /** The provider's own name, and the operator's override. */
  name: string
  own_name: string | null
  icon_url: string | null
  own_icon_url: string | null
  custom_api_url: string | null
  issuer: string
  /** The discovered endpoints, as JSON. */
  endpoints: string
  /** The client id of this app. */
  client_id: string
  /** The public client key with its id, as JSON. */
  public_key: string
  /** The private client key (PKCS #8), wrapped. */
  private_key: string
  read_only: number
  created_at: number
}

const providers = 'cross_app_providers'
/** Windows are stored in `login_windows`. Servers of the previous release still write this table. */
const windows = 'cross_app_windows'
type Tables = { cross_app_providers: ProviderRow }
const tablesIn = (reader: Reader) => reader.withTables<Tables>()

export const crossAppTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable(providers)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('provider_app_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('own_name', 'text')
      .addColumn('icon_url', 'text')
      .addColumn('own_icon_url', 'text')
      .addColumn('custom_api_url', 'text')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('endpoints', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .addColumn('read_only', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex(`${providers}_of_app`)
      .unique()
      .on(providers)
      .columns(['app_id', 'provider_app_id'])
      .execute()
    await schema
      .createTable(windows)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex(`${windows}_by_end`).on(windows).column('expires_at').execute()
  },
}

export const findProviders = (reader: Reader, appId: string): Promise<ProviderRow[]> =>
  tablesIn(reader)
    .selectFrom(providers)
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at')
    .orderBy('provider_app_id')
    .execute()

export const findProvider = (
  reader: Reader,
  appId: string,
  providerAppId: string,
): Promise<ProviderRow | undefined> =>
  tablesIn(reader)
    .selectFrom(providers)
    .selectAll()
    .where('app_id', '=', appId)
    .where('provider_app_id', '=', providerAppId)
    .executeTakeFirst()

/** Returns false if the app has this provider already. */
export async function insertProvider(reader: Reader, row: ProviderRow): Promise<boolean> {
  const inserted = await tablesIn(reader)
    .insertInto(providers)
    .values(row)
    .onConflict((conflict) => conflict.columns(['app_id', 'provider_app_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

type SaidAnew = Pick<ProviderRow, 'name' | 'icon_url' | 'custom_api_url' | 'endpoints'>
export async function describeProvider(reader: Reader, id: string, said: SaidAnew): Promise<void> {
  await tablesIn(reader).updateTable(providers).set(said).where('id', '=', id).execute()
}

/** Returns false if there was none. */
export async function removeProvider(reader: Reader, appId: string, providerAppId: string): Promise<boolean> {
  const removed = await tablesIn(reader)
    .deleteFrom(providers)
    .where('app_id', '=', appId)
    .where('provider_app_id', '=', providerAppId)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}
