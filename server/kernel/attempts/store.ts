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

export type Slot = { key: string; expiresAt: number }

/**
 * The keys of those slots that were free. Slots are written in this order, so that two calls that want them do not
 * block each other.
 */
export async function takeSlots(
  reader: Reader,
  slots: readonly Slot[],
  nowSeconds: number,
): Promise<readonly string[]> {
  const taken = await taking(slots.length)(reader, { nowSeconds, ...numbered(slots) })
  return taken.map((row) => row.key)
}

type RowNames = { nowSeconds: number } & { readonly [name: `key ${number}`]: string } & {
  readonly [name: `${'expiresAt' | 'amount' | 'limit'} ${number}`]: number
}

/** The values of each row under names of its own. */
const numbered = <Row extends object>(rows: readonly Row[]): Omit<RowNames, 'nowSeconds'> =>
  Object.fromEntries(
    rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`${name} ${at}`, value])),
  )

type Query = ReturnType<typeof compiled<RowNames, Pick<AttemptTable, 'key' | 'expires_at'>>>

/** One query for each number of rows: there are as many as an attempt has budgets. */
function byCount(build: (count: number) => Query): (count: number) => Query {
  const queries = new Map<number, Query>()
  return (count) => {
    const query = queries.get(count) ?? build(count)
    queries.set(count, query)
    return query
  }
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at)

const taking = byCount((count) =>
  compiled((db, value: ValueOf<RowNames>) =>
    db
      .insertInto('attempts')
      .values(
        numbersTo(count).map((at) => ({
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
 * Counts so many more in the window that is open of each counter, or opens the next, unless the open one is full. The
 * ends of the windows that they were counted in; a full one is not among them. Counters are written in this order too.
 */
export async function takeOfCounters(
  reader: Reader,
  countings: readonly Counting[],
  nowSeconds: number,
): Promise<ReadonlyMap<string, number>> {
  const counted = await counting(countings.length)(reader, { nowSeconds, ...numbered(countings) })
  return new Map(counted.map((row) => [row.key, row.expires_at]))
}

const counting = byCount((count) =>
  compiled((db, value: ValueOf<RowNames>) =>
    db
      .insertInto('attempts')
      .values(
        numbersTo(count).map((at) => ({
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
              ...numbersTo(count).map((at) =>
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
