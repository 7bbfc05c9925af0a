/** Windows that were begun and go on to somebody else, a row each. */
import type { WindowPurpose } from '@latchkey/protocol/api'
import type { Migration } from 'kysely'
import type { Reader } from '../../kernel/ports.ts'

export type WindowStart = {
  /** Hash of the handle: whoever can read the database can start nothing. */
  readonly id: string
  readonly app_id: string
  readonly purpose: WindowPurpose
  /** Public key of the dialog that made the handle; null where the dialog takes the whole page away. */
  readonly start_key: string | null
  /** What the card shows, for a window that cannot ask the dialog; null where it has to. */
  readonly digits: string | null
  /** The origin of the page that the dialog is in; null where the dialog stands alone. */
  readonly origin: string | null
  /** The hash of the cookie of the browser that was sent on; null until then. It is set once. */
  readonly browser_hash: string | null
  readonly expires_at: number
}

const table = 'window_starts'
const startsIn = (reader: Reader) => reader.withTables<{ window_starts: WindowStart }>()

export const startTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('start_key', 'text')
      .addColumn('digits', 'text')
      .addColumn('origin', 'text')
      .addColumn('browser_hash', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex(`${table}_by_end`).on(table).column('expires_at').execute()
  },
}

/** False where there is one of this handle. */
export async function insertStart(reader: Reader, start: WindowStart): Promise<boolean> {
  const inserted = await startsIn(reader)
    .insertInto(table)
    .values(start)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findStarts = (
  reader: Reader,
  ids: readonly string[],
  nowSeconds: number,
): Promise<WindowStart[]> =>
  startsIn(reader)
    .selectFrom(table)
    .selectAll()
    .where('id', 'in', ids)
    .where('expires_at', '>', nowSeconds)
    .execute()

export const findStart = async (
  reader: Reader,
  id: string,
  nowSeconds: number,
): Promise<WindowStart | undefined> => (await findStarts(reader, [id], nowSeconds))[0]

/** The one browser that goes on with it; undefined where one did already. */
export const sendOn = (
  reader: Reader,
  { id, purpose }: Pick<WindowStart, 'id' | 'purpose'>,
  browserHash: string,
  nowSeconds: number,
): Promise<WindowStart | undefined> =>
  startsIn(reader)
    .updateTable(table)
    .set({ browser_hash: browserHash })
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('browser_hash', 'is', null)
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()
