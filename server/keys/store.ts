import type { Row } from '../db/schema.ts'
import type { Db, Reader, Trx } from '../ports.ts'

export type ServerKeyRow = Row<'server_keys'>

const INSTANCE = 'this'

export const fingerprintOf = async (reader: Reader): Promise<string | undefined> =>
  (
    await reader
      .selectFrom('instance')
      .select('master_key_fingerprint')
      .where('id', '=', INSTANCE)
      .executeTakeFirst()
  )?.master_key_fingerprint

/** The first process to say it wins; tells which fingerprint is there now. */
export async function pinFingerprint(db: Db, fingerprint: string, nowSeconds: number): Promise<string> {
  await db
    .insertInto('instance')
    .values({ id: INSTANCE, master_key_fingerprint: fingerprint, created_at: nowSeconds })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return (await fingerprintOf(db)) ?? fingerprint
}

export const masterKeysOf = (reader: Reader) =>
  reader
    .selectFrom('instance')
    .select([
      'master_key_fingerprint as current',
      'prepared_master_key as prepared',
      'master_key_since as since',
    ])
    .where('id', '=', INSTANCE)
    .executeTakeFirstOrThrow()

/** Tells whether it was done: not where another key is prepared, or one before this is still kept. */
export async function prepareMasterKey(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ prepared_master_key: id })
    .where('id', '=', INSTANCE)
    .where('prepared_master_key', 'is', null)
    .where('master_key_since', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** What was prepared is in use from here on. */
export async function usePreparedMasterKey(db: Db, id: string, nowSeconds: number): Promise<void> {
  await db
    .updateTable('instance')
    .set({ master_key_fingerprint: id, prepared_master_key: null, master_key_since: nowSeconds })
    .where('id', '=', INSTANCE)
    .where('prepared_master_key', '=', id)
    .execute()
}

/** Tells whether it was done: not where it is in use by now. */
export async function forgetPreparedMasterKey(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ prepared_master_key: null })
    .where('id', '=', INSTANCE)
    .where('prepared_master_key', '=', id)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export async function endMasterKeyRotation(db: Db): Promise<void> {
  await db.updateTable('instance').set({ master_key_since: null }).where('id', '=', INSTANCE).execute()
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

/** What is in use is not used for anything new after `retiredAt`, and not at all after `expiresAt`. */
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
  // What was retired before does not outlive what is retired now.
  await trx
    .updateTable('server_keys')
    .set({ expires_at: expiresAt })
    .where('purpose', '=', purpose)
    .where('expires_at', '>', expiresAt)
    .execute()
}

/** Every place that holds something wrapped. */
const wrappedColumns = [
  ['server_keys', 'wrapped'],
  ['wallets', 'auth_share'],
  ['wallets', 'recovery_share'],
  ['mfa_methods', 'secret'],
  ['wallet_reshares', 'auth_share'],
  ['wallet_reshares', 'recovery_share'],
] as const
type WrappedColumn = (typeof wrappedColumns)[number]
export type WrappedValue = { readonly place: WrappedColumn; readonly id: string; readonly wrapped: string }

/** In order of ids, a batch at a time; `after` is the id where the last batch ended. */
export async function* wrappedValues(db: Db, batchRows: number): AsyncGenerator<WrappedValue> {
  for (const place of wrappedColumns) {
    const [table, column] = place
    let after = ''
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .select(['id', `${column} as wrapped`])
        .where('id', '>', after)
        .where(column, 'is not', null)
        .orderBy('id')
        .limit(batchRows)
        .execute()
      for (const { id, wrapped } of rows) if (wrapped !== null) yield { place, id, wrapped }
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

/** Unless it was written anew in the meantime. */
export async function replaceWrapped(db: Db, value: WrappedValue, rewrapped: string): Promise<void> {
  const { place, id, wrapped } = value
  const [table, column] = place
  await db
    .updateTable(table)
    .set({ [column]: rewrapped })
    .where('id', '=', id)
    .where(column, '=', wrapped)
    .execute()
}
