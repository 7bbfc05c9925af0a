/** Stores pending login windows of all purposes, one row each. */
import { createHash } from 'node:crypto'
import type { WindowPurpose } from '@latchkey/protocol/api'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type LoginWindow = {
  /** The hash of the handle, so that a database reader can not use it. */
  id: string
  app_id: string
  purpose: WindowPurpose
  /** `hashBinding` of the browser that started. Empty if no call requests the answer. */
  binding: string
  /** The challenge of the secret that may read the answer. Null if the answer is delivered otherwise. */
  relay_challenge: string | null
  /** The public key of the dialog that created the handle. Null for a full-page redirect. */
  start_key: string | null
  /** The digits on the card, for a window that can not reach the dialog. Null otherwise. */
  digits: string | null
  /** The origin of the host page. Null for a standalone dialog. */
  origin: string | null
  /** The cookie hash of the browser that was sent on. Null until then, and set once. */
  browser_hash: string | null
  /** Data of the purpose, as JSON. The purpose seals its secrets. */
  data: string
  /** The first answer, sealed. Null until then. */
  answer: string | null
  /** The failure, if the purpose distinguishes it from an answer. */
  failure: string | null
  /** When the answer was used, if the row remains. */
  used_at: number | null
  created_at: number
  expires_at: number
}

/** A handle is valid for one purpose only. */
export type WindowKey = Pick<LoginWindow, 'id' | 'purpose'>
/** Identifies the caller that may read the answer. */
export type Taker = WindowKey & {
  app_id: string
  binding: string
  relay_challenge: string
}

export const windowId = (handle: string) => createHash('sha256').update(handle).digest('base64url')

const table = 'login_windows'
const windowsIn = (reader: Reader) => reader.withTables<{ login_windows: LoginWindow }>()

/** Servers of the previous release still write this table. The next release drops it. */
export const startTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable('window_starts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('start_key', 'text')
      .addColumn('digits', 'text')
      .addColumn('origin', 'text')
      .addColumn('browser_hash', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('window_starts_by_end').on('window_starts').column('expires_at').execute()
  },
}

/**
 * One table instead of `window_starts` and one per purpose, which the login methods' migrations created. Nothing is
 * copied, because rows live for minutes: older windows are reported as ended. Servers of the previous release, which
 * run beside this one during an upgrade, still use the old tables.
 */
export const windowTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('relay_challenge', 'text')
      .addColumn('start_key', 'text')
      .addColumn('digits', 'text')
      .addColumn('origin', 'text')
      .addColumn('browser_hash', 'text')
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('failure', 'text')
      .addColumn('used_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex(`${table}_by_end`).on(table).column('expires_at').execute()
  },
}

/** Returns false if the handle exists. */
export async function insertWindow(reader: Reader, window: LoginWindow): Promise<boolean> {
  const inserted = await windowsIn(reader)
    .insertInto(table)
    .values(window)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds windows of any purpose. The caller must compare the purpose. */
export const findWindows = (
  reader: Reader,
  ids: readonly string[],
  nowSeconds: number,
): Promise<LoginWindow[]> =>
  windowsIn(reader)
    .selectFrom(table)
    .selectAll()
    .where('id', 'in', ids)
    .where('expires_at', '>', nowSeconds)
    .execute()

export async function findWindow(
  reader: Reader,
  { id, purpose }: WindowKey,
  nowSeconds: number,
): Promise<LoginWindow | undefined> {
  const [found] = await findWindows(reader, [id], nowSeconds)
  return found?.purpose === purpose ? found : undefined
}

/** Records the browser that continues. Returns undefined if another one did before. */
export const sendOn = (
  reader: Reader,
  { id, purpose }: WindowKey,
  browserHash: string,
  nowSeconds: number,
): Promise<LoginWindow | undefined> =>
  windowsIn(reader)
    .updateTable(table)
    .set({ browser_hash: browserHash })
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('browser_hash', 'is', null)
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()

/** Stores the first answer. Returns undefined if there is one already. */
export const answerWindow = (
  reader: Reader,
  { id, purpose }: WindowKey,
  result: Pick<LoginWindow, 'answer' | 'failure'>,
  nowSeconds: number,
): Promise<LoginWindow | undefined> =>
  windowsIn(reader)
    .updateTable(table)
    .set(result)
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('answer', 'is', null)
    .where('failure', 'is', null)
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()

/** Marks the answer as used. Only the first call succeeds. The row remains, so the result can be returned again. */
export const useAnswer = (
  reader: Reader,
  { id, purpose }: WindowKey,
  nowSeconds: number,
): Promise<LoginWindow | undefined> =>
  windowsIn(reader)
    .updateTable(table)
    .set({ used_at: nowSeconds })
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('answer', 'is not', null)
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()

/** Deletes the row and returns it. Only the first call succeeds. */
export const takeWindow = (
  reader: Reader,
  { id, purpose, ...taker }: WindowKey | Taker,
  nowSeconds: number,
  { answered = false } = {},
): Promise<LoginWindow | undefined> =>
  windowsIn(reader)
    .deleteFrom(table)
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .$if('binding' in taker, (windows) => windows.where((row) => row.and(taker)))
    .$if(answered, (windows) => windows.where('answer', 'is not', null))
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()
