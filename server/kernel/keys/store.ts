import { sql } from 'kysely'
import type { Row } from '../db/schema.ts'
import type { Db, Reader, Trx } from '../ports.ts'
import { firstPepper } from './pepper-names.ts'

/** Keys of the server itself, wrapped by the KMS: signing, sealing, peppers. */
type ServerKeyTable = {
  id: string
  purpose: 'signing' | 'sealing' | 'pepper'
  public_key: string | null
  wrapped: string
  created_at: number
  /** The key is not used for new values from then on. */
  retired_at: number | null
  /** The key is invalid from then on. */
  expires_at: number | null
}

/** The only row, with the master keys of this database. */
type InstanceTable = {
  id: string
  /** The key that wraps new secrets. */
  master_key_fingerprint: string
  /** A key that is distributed to the machines, but unused until its rotation is committed. */
  prepared_master_key: string | null
  /** When the current key replaced the previous one. Null after the previous key was removed. */
  master_key_since: number | null
  /** The same three fields of the recovery master key; null if recovery shares use the master key. */
  recovery_key_fingerprint: string | null
  prepared_recovery_key: string | null
  recovery_key_since: number | null
  created_at: number
}

declare module '../db/schema.ts' {
  interface Database {
    server_keys: ServerKeyTable
    instance: InstanceTable
  }
}

export type ServerKeyRow = Row<'server_keys'>

const INSTANCE = 'this'

/** The recovery master key wraps recovery shares only; the master key wraps all other secrets. */
export type MasterKeyName = 'master' | 'recovery'

const instanceColumns = {
  master: { current: 'master_key_fingerprint', prepared: 'prepared_master_key', since: 'master_key_since' },
  recovery: {
    current: 'recovery_key_fingerprint',
    prepared: 'prepared_recovery_key',
    since: 'recovery_key_since',
  },
} as const

export type KeysInUse<Current = string | null> = {
  current: Current
  prepared: string | null
  since: number | null
}

export async function isNewDatabase(reader: Reader): Promise<boolean> {
  const row = await reader.selectFrom('instance').select('id').where('id', '=', INSTANCE).executeTakeFirst()
  return row === undefined
}

/** Stores the fingerprints unless another process was first. */
export async function pinFingerprints(
  db: Db,
  { master, recovery }: { master: string; recovery: string | null },
  nowSeconds: number,
): Promise<void> {
  await db
    .insertInto('instance')
    .values({
      id: INSTANCE,
      master_key_fingerprint: master,
      recovery_key_fingerprint: recovery,
      created_at: nowSeconds,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function readMasterKeyState(
  reader: Reader,
): Promise<{ master: KeysInUse<string>; recovery: KeysInUse }> {
  const row = await reader
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', INSTANCE)
    .executeTakeFirstOrThrow()
  return {
    master: {
      current: row.master_key_fingerprint,
      prepared: row.prepared_master_key,
      since: row.master_key_since,
    },
    recovery: {
      current: row.recovery_key_fingerprint,
      prepared: row.prepared_recovery_key,
      since: row.recovery_key_since,
    },
  }
}

/** Returns false if another key is prepared, or if the previous key was not removed yet. */
export async function prepareMasterKey(db: Db, name: MasterKeyName, id: string): Promise<boolean> {
  const { prepared, since } = instanceColumns[name]
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ [prepared]: id })
    .where('id', '=', INSTANCE)
    .where(prepared, 'is', null)
    .where(since, 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Makes the prepared key current. */
export async function usePreparedMasterKey(
  db: Db,
  name: MasterKeyName,
  id: string,
  nowSeconds: number,
): Promise<void> {
  const { current, prepared, since } = instanceColumns[name]
  await db
    .updateTable('instance')
    .set({ [current]: id, [prepared]: null, [since]: nowSeconds })
    .where('id', '=', INSTANCE)
    .where(prepared, '=', id)
    .execute()
}

/** Returns false if the key is already in use. */
export async function cancelPreparedMasterKey(db: Db, name: MasterKeyName, id: string): Promise<boolean> {
  const { prepared } = instanceColumns[name]
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ [prepared]: null })
    .where('id', '=', INSTANCE)
    .where(prepared, '=', id)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export async function endMasterKeyRotation(db: Db, name: MasterKeyName): Promise<void> {
  await db
    .updateTable('instance')
    .set({ [instanceColumns[name].since]: null })
    .where('id', '=', INSTANCE)
    .execute()
}

export const liveKeys = (reader: Reader, nowSeconds: number): Promise<ServerKeyRow[]> =>
  reader
    .selectFrom('server_keys')
    .selectAll()
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowSeconds)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export async function insertKeyOnce(reader: Reader, key: ServerKeyRow): Promise<void> {
  await reader
    .insertInto('server_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Retires the keys in use: not used for new values after `retiredAt`, invalid after `expiresAt`. */
export async function retireKeys(
  trx: Trx,
  purpose: 'signing' | 'sealing',
  { retiredAt, expiresAt }: { retiredAt: number; expiresAt: number },
): Promise<void> {
  await trx
    .updateTable('server_keys')
    .set({ retired_at: retiredAt, expires_at: expiresAt })
    .where('purpose', '=', purpose)
    .where((row) => row.or([row('retired_at', 'is', null), row('retired_at', '>', retiredAt)]))
    .execute()
  // Keys that were retired earlier must not outlive this one.
  await trx
    .updateTable('server_keys')
    .set({ expires_at: expiresAt })
    .where('purpose', '=', purpose)
    .where('expires_at', '>', expiresAt)
    .execute()
}

/**
 * Retires a pepper. It remains known while a row refers to it. Returns false if another process was faster.
 */
export async function retirePepper(trx: Trx, id: string, retiredAt: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('server_keys')
    .set({ retired_at: retiredAt })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export const pepperRows = async (reader: Reader): Promise<ServerKeyRow[]> =>
  reader
    .selectFrom('server_keys')
    .selectAll()
    .where('purpose', '=', 'pepper')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export async function deleteKey(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('server_keys').where('id', '=', id).execute()
}

/** A column with wrapped secrets or null, in a table with the key `id`. */
export type WrappedColumn = { table: string; column: string }

/** A column with pepper names (`pepper-names.ts`) in its values, which may live for longer than ten minutes. */
export type PepperedColumn = {
  table: string
  column: string
  /** The prefix before the pepper's name. */
  start?: string
  /** Restricts the check to rows with this value. */
  where?: { column: string; is: string }
}

/** The wrapped and peppered columns of all capabilities. */
export type KeyColumns = {
  wrapped: readonly WrappedColumn[]
  peppered: readonly PepperedColumn[]
}

/** Returns whether a row refers to the pepper. */
export async function isPepperUsed(
  reader: Reader,
  pepper: string,
  columns: readonly PepperedColumn[],
): Promise<boolean> {
  for (const { table, column, start = '', where } of columns) {
    const isNamed =
      pepper === firstPepper
        ? sql`${sql.ref(column)} not like ${`${start}%.%`}`
        : sql`substr(${sql.ref(column)}, 1, ${sql.lit(start.length + pepper.length + 1)}) = ${`${start}${pepper}.`}`
    const only = where ? sql`and ${sql.ref(where.column)} = ${where.is}` : sql``
    const { rows } = await sql`
      select 1 as named from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${isNamed} ${only} limit 1`.execute(reader)
    if (rows.length > 0) return true
  }
  return false
}

/** The server's own keys are wrapped too, but belong to no capability. */
const ownColumns: readonly WrappedColumn[] = [{ table: 'server_keys', column: 'wrapped' }]

export type WrappedValue = { place: WrappedColumn; id: string; wrapped: string }

/** Yields all wrapped values, in batches ordered by id. */
export async function* readWrappedValues(
  db: Db,
  columns: readonly WrappedColumn[],
  batchRows: number,
): AsyncGenerator<WrappedValue> {
  for (const place of [...ownColumns, ...columns]) {
    let after = ''
    for (;;) {
      const { rows } = await sql<{ id: string; wrapped: string }>`
        select id, ${sql.ref(place.column)} as wrapped from ${sql.table(place.table)}
        where id > ${after} and ${sql.ref(place.column)} is not null
        order by id limit ${batchRows}`.execute(db)
      for (const { id, wrapped } of rows) yield { place, id, wrapped }
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

/** Replaces the value unless it was changed meanwhile. */
export async function replaceWrapped(db: Db, value: WrappedValue, rewrapped: string): Promise<void> {
  const { place, id, wrapped } = value
  const column = sql.ref(place.column)
  await sql`
    update ${sql.table(place.table)} set ${column} = ${rewrapped}
    where id = ${id} and ${column} = ${wrapped}`.execute(db)
}
