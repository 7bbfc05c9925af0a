import { sql } from 'kysely'
import type { Row } from '../db/schema.ts'
import type { Db, Reader, Trx } from '../ports.ts'
import { firstPepper } from './pepper-names.ts'

export type ServerKeyRow = Row<'server_keys'>

const INSTANCE = 'this'

/** There are two master keys at most: one for recovery shares alone, and one for the rest. */
export type MasterKeyName = 'master' | 'recovery'

const columnsOf = {
  master: { current: 'master_key_fingerprint', prepared: 'prepared_master_key', since: 'master_key_since' },
  recovery: {
    current: 'recovery_key_fingerprint',
    prepared: 'prepared_recovery_key',
    since: 'recovery_key_since',
  },
} as const

export type KeysInUse<Current = string | null> = {
  readonly current: Current
  readonly prepared: string | null
  readonly since: number | null
}

export async function isNewDatabase(reader: Reader): Promise<boolean> {
  const row = await reader.selectFrom('instance').select('id').where('id', '=', INSTANCE).executeTakeFirst()
  return row === undefined
}

/** The first process to say it wins. */
export async function pinFingerprints(
  db: Db,
  { master, recovery }: { readonly master: string; readonly recovery: string | null },
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

export async function masterKeysOf(
  reader: Reader,
): Promise<{ readonly master: KeysInUse<string>; readonly recovery: KeysInUse }> {
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

/** Tells whether it was done: not where another key is prepared, or one before this is still kept. */
export async function prepareMasterKey(db: Db, name: MasterKeyName, id: string): Promise<boolean> {
  const { prepared, since } = columnsOf[name]
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ [prepared]: id })
    .where('id', '=', INSTANCE)
    .where(prepared, 'is', null)
    .where(since, 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** What was prepared is in use from here on. */
export async function usePreparedMasterKey(
  db: Db,
  name: MasterKeyName,
  id: string,
  nowSeconds: number,
): Promise<void> {
  const { current, prepared, since } = columnsOf[name]
  await db
    .updateTable('instance')
    .set({ [current]: id, [prepared]: null, [since]: nowSeconds })
    .where('id', '=', INSTANCE)
    .where(prepared, '=', id)
    .execute()
}

/** Tells whether it was done: not where it is in use by now. */
export async function forgetPreparedMasterKey(db: Db, name: MasterKeyName, id: string): Promise<boolean> {
  const { prepared } = columnsOf[name]
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
    .set({ [columnsOf[name].since]: null })
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

/**
 * What is in use goes on until then, and is known after that for as long as a row names it. Tells whether it was done:
 * not where another process was faster.
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

/** The version of a session's key, as `identity/sessions/refresh-token.ts` writes it. */
const tokenKeyStart = '1.'

/** Whether something that lives for longer than ten minutes was made with this pepper (`pepper-names.ts`). */
export async function isPepperNamed(reader: Reader, pepper: string): Promise<boolean> {
  const named = (column: 'token_key' | 'recovery_access' | 'payload', before: string) =>
    pepper === firstPepper
      ? sql<boolean>`${sql.ref(column)} not like ${`${before}%.%`}`
      : sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(before.length + pepper.length + 1)}) = ${`${before}${pepper}.`}`
  const session = await reader
    .selectFrom('sessions')
    .select('id')
    .where(named('token_key', tokenKeyStart))
    .limit(1)
    .executeTakeFirst()
  if (session) return true
  for (const table of ['wallets', 'wallet_reshares'] as const) {
    const row = await reader
      .selectFrom(table)
      .select('id')
      // Other ways keep something else in that column.
      .where('recovery_method', '=', 'user-passcode')
      .where('recovery_access', 'is not', null)
      .where(named('recovery_access', ''))
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  const record = await reader
    .withTables<{ openid_records: { id: string; payload: string } }>()
    .selectFrom('openid_records')
    .select('id')
    .where(named('payload', ''))
    .limit(1)
    .executeTakeFirst()
  return record !== undefined
}

/** What a capability keeps wrapped, beside the tables of the server. */
type WithCapabilities = { cross_app_providers: { id: string; private_key: string } }
const withCapabilities = (reader: Reader) => reader.withTables<WithCapabilities>()

/** Every place that holds something wrapped. */
const wrappedColumns = [
  ['server_keys', 'wrapped'],
  ['wallets', 'auth_share'],
  ['wallets', 'recovery_share'],
  ['mfa_methods', 'secret'],
  ['wallet_reshares', 'auth_share'],
  ['wallet_reshares', 'recovery_share'],
  ['cross_app_providers', 'private_key'],
] as const
type WrappedColumn = (typeof wrappedColumns)[number]
export type WrappedValue = { readonly place: WrappedColumn; readonly id: string; readonly wrapped: string }

/** In order of ids, a batch at a time; `after` is the id where the last batch ended. */
export async function* wrappedValues(db: Db, batchRows: number): AsyncGenerator<WrappedValue> {
  for (const place of wrappedColumns) {
    const [table, column] = place
    let after = ''
    for (;;) {
      const rows = await withCapabilities(db)
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
  await withCapabilities(db)
    .updateTable(table)
    .set({ [column]: rewrapped })
    .where('id', '=', id)
    .where(column, '=', wrapped)
    .execute()
}
