import { compileQuery, type Placeholder } from '../db/compile-query.ts'
import type { Reader } from '../ports.ts'

/** A row per key and window: a slot, or a counter. */
type AttemptTable = { key: string; window_start: number; count: number; expires_at: number }

declare module '../db/schema.ts' {
  interface Database {
    attempts: AttemptTable
  }
}

/** Returns the rows that are still in use, with the time at which each becomes free. */
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

export type Slot = { key: string; expiresAt: number }

/**
 * Takes the free ones of these slots and returns their keys. All callers write slots in the same order, so that
 * parallel calls do not deadlock.
 */
export async function takeSlots(
  reader: Reader,
  slots: readonly Slot[],
  nowSeconds: number,
): Promise<readonly string[]> {
  const rows = await takeQuery(slots.length)(reader, { nowSeconds, ...flattenRows(slots) })
  return rows.map((row) => row.key)
}

type RowNames = { nowSeconds: number } & { readonly [name: `key ${number}`]: string } & {
  readonly [name: `${'expiresAt' | 'amount' | 'limit'} ${number}`]: number
}

/** Flattens rows into one record with a separate name for each value. */
const flattenRows = <Row extends object>(rows: readonly Row[]): Omit<RowNames, 'nowSeconds'> =>
  Object.fromEntries(
    rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`${name} ${at}`, value])),
  )

type Query = ReturnType<typeof compileQuery<RowNames, Pick<AttemptTable, 'key' | 'expires_at'>>>

/** Caches one query per number of rows. */
function cacheByCount(build: (count: number) => Query): (count: number) => Query {
  const queries = new Map<number, Query>()
  return (count) => {
    const query = queries.get(count) ?? build(count)
    queries.set(count, query)
    return query
  }
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

const takeQuery = cacheByCount((count) =>
  compileQuery((db, value: Placeholder<RowNames>) =>
    db
      .insertInto('attempts')
      .values(
        range(count).map((at) => ({
          key: value(`key ${at}`),
          window_start: value('nowSeconds'),
          count: 1,
          expires_at: value(`expiresAt ${at}`),
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
          .where('attempts.expires_at', '<=', value('nowSeconds')),
      )
      .returning(['key', 'expires_at']),
  ),
)

export type Counting = {
  key: string
  amount: number
  limit: number
  expiresAt: number
}

/**
 * Adds the amounts to the counters, and opens a new window where the old one is over. Returns the end of each window;
 * full counters are missing from the result. Counters are written in the given order, to avoid deadlocks.
 */
export async function consumeCounters(
  reader: Reader,
  countings: readonly Counting[],
  nowSeconds: number,
): Promise<ReadonlyMap<string, number>> {
  const counted = await countQuery(countings.length)(reader, { nowSeconds, ...flattenRows(countings) })
  return new Map(counted.map((row) => [row.key, row.expires_at]))
}

const countQuery = cacheByCount((count) =>
  compileQuery((db, value: Placeholder<RowNames>) =>
    db
      .insertInto('attempts')
      .values(
        range(count).map((at) => ({
          key: value(`key ${at}`),
          window_start: value('nowSeconds'),
          count: value(`amount ${at}`),
          expires_at: value(`expiresAt ${at}`),
        })),
      )
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
              ...range(count).map((at) =>
                row.and([
                  row('attempts.key', '=', value(`key ${at}`)),
                  row('attempts.count', '<', value(`limit ${at}`)),
                ]),
              ),
            ]),
          ),
      )
      .returning(['key', 'expires_at']),
  ),
)

/** Frees a slot, or decrements a counter. */
export async function refund(reader: Reader, keys: readonly string[]): Promise<void> {
  await reader
    .updateTable('attempts')
    .set((row) => ({
      count: row('count', '-', 1),
      expires_at: row.case().when('count', '<=', 1).then(0).else(row.ref('expires_at')).end(),
    }))
    .where('key', 'in', keys)
    .execute()
}
