/** Stores the descriptors of apps, and the contracts to which each is bound. */
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import type { Descriptor } from './reader/read-descriptor.ts'

export type DescriptorRow = {
  app_id: string
  /** SHA-256 of the file. */
  hash: string
  kind: Descriptor['kind']
  owner: string
  file: string
  created_at: number
}
export type BindingRow = {
  app_id: string
  kind: Descriptor['kind']
  chain_id: string
  /** In lower case. */
  address: string
  hash: string
  code_hash: string
}

const tablesIn = (reader: Reader) =>
  reader.withTables<{ descriptors: DescriptorRow; descriptor_contracts: BindingRow }>()

export const descriptorMigrations: Migrations = {
  '0001-tables': {
    async up({ schema }) {
      await schema
        .createTable('descriptors')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('file', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('descriptors_key', ['app_id', 'hash'])
        .execute()
      // A contract has at most one descriptor of each kind, so that no order decides between two.
      await schema
        .createTable('descriptor_contracts')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('chain_id', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('code_hash', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('descriptor_contracts_key', ['app_id', 'kind', 'chain_id', 'address'])
        .execute()
    },
  },
}

export const listDescriptors = (reader: Reader, appId: string): Promise<DescriptorRow[]> =>
  tablesIn(reader)
    .selectFrom('descriptors')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at')
    .orderBy('hash')
    .execute()

export const listBindings = (reader: Reader, appId: string): Promise<BindingRow[]> =>
  tablesIn(reader)
    .selectFrom('descriptor_contracts')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('chain_id')
    .orderBy('address')
    .execute()

/** Returns the file that describes a contract, and the code hash to which it is bound. */
export const findDescriptorFile = (
  reader: Reader,
  key: Pick<BindingRow, 'app_id' | 'kind' | 'chain_id' | 'address'>,
): Promise<{ file: string; hash: string; code_hash: string } | undefined> =>
  tablesIn(reader)
    .selectFrom('descriptor_contracts as bound')
    .innerJoin('descriptors as described', (join) =>
      join.onRef('described.app_id', '=', 'bound.app_id').onRef('described.hash', '=', 'bound.hash'),
    )
    .select(['described.file', 'described.hash', 'bound.code_hash'])
    .where('bound.app_id', '=', key.app_id)
    .where('bound.kind', '=', key.kind)
    .where('bound.chain_id', '=', key.chain_id)
    .where('bound.address', '=', key.address)
    .executeTakeFirst()

/** Returns false, and may have inserted rows, if one of the contracts has a descriptor. The caller rolls back. */
export async function insertDescriptor(
  trx: Trx,
  row: DescriptorRow,
  bindings: BindingRow[],
): Promise<boolean> {
  const tables = tablesIn(trx)
  const inserted = await tables
    .insertInto('descriptors')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .execute()
  const bound = await tables
    .insertInto('descriptor_contracts')
    .values([...bindings])
    .onConflict((conflict) => conflict.doNothing())
    .returning('address')
    .execute()
  return inserted.length === 1 && bound.length === bindings.length
}

/** Returns false if the app has no such descriptor. */
export async function removeDescriptor(trx: Trx, appId: string, hash: string): Promise<boolean> {
  const tables = tablesIn(trx)
  for (const table of ['descriptor_contracts', 'descriptors'] as const) {
    const removed = await tables
      .deleteFrom(table)
      .where('app_id', '=', appId)
      .where('hash', '=', hash)
      .returning('hash')
      .execute()
    if (removed.length === 0) return false
  }
  return true
}
