import { sql } from 'kysely'
import * as v from 'valibot'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { sponsorServerLimits } from './limits.ts'
import { type OperationRow, sponsorTables } from './tables.ts'

export const find = (reader: Reader, id: string): Promise<OperationRow | undefined> =>
  sponsorTables(reader).selectFrom('sponsored_operations').selectAll().where('id', '=', id).executeTakeFirst()

export const insert = (trx: Trx, row: OperationRow) =>
  sponsorTables(trx).insertInto('sponsored_operations').values(row).execute()

/** The operations of a user or an app of the last day. */
export type Usage = { cents: number; pending: number; failed: number }

export async function getUsage(
  reader: Reader,
  column: 'app_id' | 'user_id',
  id: string,
  nowSeconds: number,
): Promise<Usage> {
  const row = await sponsorTables(reader)
    .selectFrom('sponsored_operations')
    .select(({ fn, lit, case: when }) => [
      fn.coalesce(fn.sum<number>('cents'), lit(0)).as('cents'),
      fn
        .coalesce(
          fn.sum<number>(when().when('state', '=', 'pending').then(lit(1)).else(lit(0)).end()),
          lit(0),
        )
        .as('pending'),
      fn
        .coalesce(
          fn.sum<number>(when().when('state', 'in', ['reverted', 'dropped']).then(lit(1)).else(lit(0)).end()),
          lit(0),
        )
        .as('failed'),
    ])
    .where(column, '=', id)
    .where('created_at', '>', nowSeconds - sponsorServerLimits.daySeconds)
    .executeTakeFirstOrThrow()
  return { cents: Number(row.cents), pending: Number(row.pending), failed: Number(row.failed) }
}

/** The operations of an app on one chain and day (UTC). */
export type DayUsage = { chain_id: string; day: number; cents: number; operations: number; failed: number }

export async function getDayUsage(reader: Reader, appId: string, fromSeconds: number): Promise<DayUsage[]> {
  const rows = await sponsorTables(reader)
    .selectFrom('sponsored_operations')
    .select(({ fn, lit, ref, case: when }) => [
      'chain_id',
      sql<number>`${ref('created_at')} - ${ref('created_at')} % ${lit(sponsorServerLimits.daySeconds)}`.as(
        'day',
      ),
      fn.sum<number>('cents').as('cents'),
      fn.countAll<number>().as('operations'),
      fn
        .sum<number>(
          when().when('state', 'in', ['reverted', 'dropped', 'expired']).then(lit(1)).else(lit(0)).end(),
        )
        .as('failed'),
    ])
    .where('app_id', '=', appId)
    .where('created_at', '>=', fromSeconds)
    .groupBy(['chain_id', 'day'])
    .orderBy('day')
    .orderBy('chain_id')
    .execute()
  return rows.map(({ chain_id, ...numbers }) => ({
    chain_id,
    day: Number(numbers.day),
    cents: Number(numbers.cents),
    operations: Number(numbers.operations),
    failed: Number(numbers.failed),
  }))
}

/**
 * Takes the next nonce of a relay. The row of the relay serializes all processes. Transactions that the node may not
 * count yet come first, so no nonce is used twice. Without any, the chain decides, so no gap stays.
 */
export async function takeNonce(
  trx: Trx,
  { chainId, relay }: { chainId: string; relay: string },
  ofChain: number,
  nowSeconds: number,
): Promise<number> {
  const tables = sponsorTables(trx)
  await tables
    .insertInto('sponsor_relays')
    .values({ id: `${chainId}:${relay}`, locked_at: nowSeconds })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ locked_at: nowSeconds }))
    .execute()
  const { last } = await tables
    .selectFrom('sponsored_operations')
    .select(({ fn }) => fn.max<number | null>('relay_nonce').as('last'))
    .where('chain_id', '=', chainId)
    .where('relay', '=', relay)
    .where(({ eb, or }) =>
      or([
        eb('due_at_ms', 'is not', null),
        eb('settled_at', '>', nowSeconds - sponsorServerLimits.nodeLagSeconds),
      ]),
    )
    .executeTakeFirstOrThrow()
  return last === null ? ofChain : Math.max(ofChain, Number(last) + 1)
}

/**
 * Leases due operations, each to one process until its lease ends. The update compares the time that was read, so two
 * processes cannot lease the same one.
 */
export async function lease(reader: Reader, nowMs: number): Promise<OperationRow[]> {
  const due = await sponsorTables(reader)
    .selectFrom('sponsored_operations')
    .select(['id', 'due_at_ms'])
    .where('due_at_ms', '<=', nowMs)
    .orderBy('due_at_ms')
    .limit(sponsorServerLimits.followedAtOnce)
    .execute()
  const leased = await Promise.all(
    due.map(({ id, due_at_ms: dueAtMs }) =>
      sponsorTables(reader)
        .updateTable('sponsored_operations')
        .set({ due_at_ms: nowMs + sponsorServerLimits.leaseMs })
        .where('id', '=', id)
        .where('due_at_ms', '=', dueAtMs)
        .returningAll()
        .executeTakeFirst(),
    ),
  )
  return leased.filter((row) => row !== undefined)
}

/** Changes an operation that is in no block yet. */
export const change = (reader: Reader, id: string, changed: Partial<OperationRow>) =>
  sponsorTables(reader)
    .updateTable('sponsored_operations')
    .set(changed)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()

const hashes = v.pipe(v.string(), v.parseJson(), v.array(v.string()))
export const parseHashes = ({ transactions }: Pick<OperationRow, 'transactions'>): string[] =>
  v.parse(hashes, transactions)
