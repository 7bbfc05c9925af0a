/** Ceremonies in a window of their own that are under way, a row each. */
import type { Migration } from 'kysely'
import type { Reader } from '../../../kernel/ports.ts'

export type PasskeyWindow = {
  /** Hash of the handle: who can read the database can not answer. */
  readonly id: string
  readonly app_id: string
  /** `bindingHash` of the browser that began. */
  readonly binding: string
  /** The challenge of the secret that the answer is given for. */
  readonly relay_challenge: string
  /** JSON: what the device is asked. */
  readonly ceremony: string
  /** Of the page that the dialog is in, for the person to read; null where that stands alone. */
  readonly origin: string | null
  /** Sealed; null until there is one. */
  readonly answer: string | null
  readonly expires_at: number
}
/** Who gets what was answered. */
export type Taker = Pick<PasskeyWindow, 'id' | 'app_id' | 'binding' | 'relay_challenge'>

const table = 'passkey_windows'
const windowsIn = (reader: Reader) => reader.withTables<{ passkey_windows: PasskeyWindow }>()

export const windowTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('relay_challenge', 'text', (column) => column.notNull())
      .addColumn('ceremony', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('passkey_windows_by_end').on(table).column('expires_at').execute()
  },
}

export const windowOriginColumn: Migration = {
  async up({ schema }) {
    await schema.alterTable(table).addColumn('origin', 'text').execute()
  },
}

/** False where there is one of this handle. */
export async function insertWindow(reader: Reader, window: PasskeyWindow): Promise<boolean> {
  const inserted = await windowsIn(reader)
    .insertInto(table)
    .values(window)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findWindows = (
  reader: Reader,
  ids: readonly string[],
  nowSeconds: number,
): Promise<PasskeyWindow[]> =>
  windowsIn(reader)
    .selectFrom(table)
    .selectAll()
    .where('id', 'in', ids)
    .where('expires_at', '>', nowSeconds)
    .execute()

export async function findWindow(
  reader: Reader,
  { id, app_id }: Pick<PasskeyWindow, 'id' | 'app_id'>,
  nowSeconds: number,
): Promise<PasskeyWindow | undefined> {
  const [found] = await findWindows(reader, [id], nowSeconds)
  return found?.app_id === app_id ? found : undefined
}

/** What was answered first stays. */
export async function answerWindow(
  reader: Reader,
  { id, app_id, answer }: Pick<PasskeyWindow, 'id' | 'app_id'> & { readonly answer: string },
  nowSeconds: number,
): Promise<boolean> {
  const answered = await windowsIn(reader)
    .updateTable(table)
    .set({ answer })
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('answer', 'is', null)
    .where('expires_at', '>', nowSeconds)
    .returning('id')
    .executeTakeFirst()
  return answered !== undefined
}

/** It is gone with this: of several who take it, one gets it. */
export async function takeAnswer(
  reader: Reader,
  { id, app_id, binding, relay_challenge }: Taker,
  nowSeconds: number,
): Promise<string | undefined> {
  const taken = await windowsIn(reader)
    .deleteFrom(table)
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('binding', '=', binding)
    .where('relay_challenge', '=', relay_challenge)
    .where('answer', 'is not', null)
    .where('expires_at', '>', nowSeconds)
    .returning('answer')
    .executeTakeFirst()
  return taken?.answer ?? undefined
}

/** False where it is gone already. */
export async function dropWindow(reader: Reader, taker: Taker, nowSeconds: number): Promise<boolean> {
  const { id, app_id, binding, relay_challenge } = taker
  const dropped = await windowsIn(reader)
    .deleteFrom(table)
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('binding', '=', binding)
    .where('relay_challenge', '=', relay_challenge)
    .where('expires_at', '>', nowSeconds)
    .returning('id')
    .executeTakeFirst()
  return dropped !== undefined
}
