import { compiled, type ValueOf } from '../db/compiled.ts'
import type { Reader } from '../ports.ts'

/** Counters of attempts: one row a key and window, decided in the statement that counts. */
type AttemptTable = { key: string; window_start: number; count: number; expires_at: number }

declare module '../db/schema.ts' {
  interface Database {
    attempts: AttemptTable
  }
}

/** The rows that are taken now, each with the time at which it is free again. */
export async function rowsInUse(
  reader: Reader,
  keys: readonly string[],
  nowSeconds: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('attempts')
    .select(['key', 'expires_at'])
    .where('key', 'in', keys)
    .where('expires_at', '>', nowSeconds)
    .execute()
  return new Map(rows.map((row) => [row.key, row.expires_at]))
}

export type Slot = { readonly key: string; readonly expiresAt: number }

/**
 * The keys of those slots that were free. Slots are written in this order, so that two calls that want them do not
 * block each other.
 */
export async function takeSlots(
  reader: Reader,
  slots: readonly Slot[],
  nowSeconds: number,
): Promise<readonly string[]> {
  const taken = await takingOf(slots.length)(reader, {
    now: nowSeconds,
    ...Object.fromEntries(
      slots.flatMap(({ key, expiresAt }, at) => [
        [`key ${at}`, key],
        [`end ${at}`, expiresAt],
      ]),
    ),
  })
  return taken.map((row) => row.key)
}

type Taking = { readonly now: number } & { readonly [name: `key ${number}`]: string } & {
  readonly [name: `end ${number}`]: number
}
/** One for each number of slots: there are as many as an attempt has budgets. */
const takings = new Map<number, ReturnType<typeof taking>>()

function takingOf(count: number) {
  const query = takings.get(count) ?? taking(count)
  takings.set(count, query)
  return query
}

const taking = (count: number) =>
  compiled((db, value: ValueOf<Taking>) =>
    db
      .insertInto('attempts')
      .values(
        Array.from({ length: count }, (_, at) => ({
          key: value(`key ${at}`),
          window_start: value('now'),
          count: 1,
          expires_at: value(`end ${at}`),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((row) => ({
            window_start: row.ref('excluded.window_start'),
            count: 1,
            expires_at: row.ref('excluded.expires_at'),
          }))
          .where('attempts.expires_at', '<=', value('now')),
      )
      .returning('key'),
  )

type Counting = {
  readonly key: string
  readonly amount: number
  readonly limit: number
  readonly nowSeconds: number
  readonly expiresAt: number
}

/**
 * Counts so many more in the window that is open, or opens the next, unless the open one is full. The end of the window
 * that they were counted in, or undefined.
 */
export async function takeOfCounter(reader: Reader, counting: Counting): Promise<number | undefined> {
  const [counted] = await count(reader, counting)
  return counted?.expires_at
}

const count = compiled((db, value: ValueOf<Counting>) =>
  db
    .insertInto('attempts')
    .values({
      key: value('key'),
      window_start: value('nowSeconds'),
      count: value('amount'),
      expires_at: value('expiresAt'),
    })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => {
          const isOver = row('attempts.expires_at', '<=', value('nowSeconds'))
          const nextOr = <Column extends 'window_start' | 'expires_at'>(column: Column) =>
            row
              .case()
              .when(isOver)
              .then(row.ref(`excluded.${column}`))
              .else(row.ref(`attempts.${column}`))
              .end()
          return {
            count: row
              .case()
              .when(isOver)
              .then(row.ref('excluded.count'))
              .else(row('attempts.count', '+', row.ref('excluded.count')))
              .end(),
            window_start: nextOr('window_start'),
            expires_at: nextOr('expires_at'),
          }
        })
        .where((row) =>
          row.or([
            row('attempts.expires_at', '<=', value('nowSeconds')),
            row('attempts.count', '<', value('limit')),
          ]),
        ),
    )
    .returning('expires_at'),
)

/** A slot is emptied by this, and a counter counts one less. */
export async function giveBack(reader: Reader, keys: readonly string[]): Promise<void> {
  await reader
    .updateTable('attempts')
    .set((row) => ({
      count: row('count', '-', 1),
      expires_at: row.case().when('count', '<=', 1).then(0).else(row.ref('expires_at')).end(),
    }))
    .where('key', 'in', keys)
    .execute()
}
