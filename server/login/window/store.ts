/** Windows of ours that are under way, one row each, whatever they go on to. */
import { createHash } from 'node:crypto'
import type { WindowPurpose } from '@latchkey/protocol/api'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type LoginWindow = {
  /** Hash of the handle: whoever can read the database can start nothing. */
  id: string
  app_id: string
  purpose: WindowPurpose
  /** `bindingHash` of the browser that began; empty where no call asks for the answer. */
  binding: string
  /** The challenge of the secret that the answer is given for; null where the answer takes another way. */
  relay_challenge: string | null
  /** Public key of the dialog that made the handle; null where the dialog takes the whole page away. */
  start_key: string | null
  /** What the card shows, for a window that cannot ask the dialog; null where it has to. */
  digits: string | null
  /** The origin of the page that the dialog is in; null where the dialog stands alone. */
  origin: string | null
  /** The hash of the cookie of the browser that was sent on; null until then. It is set once. */
  browser_hash: string | null
  /** JSON of what the purpose needs beside this; the purpose seals what is secret in it. */
  data: string
  /** What came back first, sealed; null until then. */
  answer: string | null
  /** Why nothing came back, where the purpose tells that apart from an answer. */
  failure: string | null
  /** When the answer was used, where the row outlives that. */
  used_at: number | null
  created_at: number
  expires_at: number
}

/** A handle is good for the purpose that it was made for, and for no other. */
export type WindowKey = Pick<LoginWindow, 'id' | 'purpose'>
/** Who gets the answer. */
export type Taker = WindowKey & {
  app_id: string
  binding: string
  relay_challenge: string
}

export const windowId = (handle: string) => createHash('sha256').update(handle).digest('base64url')

const table = 'login_windows'
const windowsIn = (reader: Reader) => reader.withTables<{ login_windows: LoginWindow }>()

/** Servers of the last release still write it. The next release drops it, and with it what it has here. */
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
 * One table in place of `window_starts` and of one for each purpose, which the migrations of the login methods made.
 * Nothing is copied: a row lives for minutes, and a window that was begun in the tables before is told that it is over.
 * Those tables stay for the servers of the last release, which run beside this one during an upgrade.
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

/** False where there is one of this handle. */
export async function insertWindow(reader: Reader, window: LoginWindow): Promise<boolean> {
  const inserted = await windowsIn(reader)
    .insertInto(table)
    .values(window)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Windows of any purpose are found: the caller looks at it. */
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

/** The one browser that goes on with it; undefined where one did already. */
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

/** What came first stays: undefined where something did. */
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

/** One of several who use the answer of a window does. The row stays, so that its result can be told again. */
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

/** The row goes, with its answer where it has one: of several who take it, one gets it. */
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
