import type { Reader, Trx } from '../../../kernel/ports.ts'
import { type RequestRow, requestTables } from './tables.ts'

export async function insertRequest(trx: Trx, row: RequestRow): Promise<void> {
  await requestTables(trx).insertInto('cross_app_requests').values(row).execute()
}

export async function findRequest(
  reader: Reader,
  { id, appId }: { id: string; appId: string },
): Promise<RequestRow | undefined> {
  return requestTables(reader)
    .selectFrom('cross_app_requests')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()
}

/** Returns the count and the total value of a connection's open requests. */
export async function getOpenUsage(
  reader: Reader,
  connectionId: string,
  nowSeconds: number,
): Promise<{ count: number; cents: number }> {
  const { count, cents } = await requestTables(reader)
    .selectFrom('cross_app_requests')
    .select(({ fn, lit }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('cents'), lit(0)).as('cents'),
    ])
    .where('connection_id', '=', connectionId)
    .where('state', 'in', ['open', 'read'])
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirstOrThrow()
  return { count: Number(count), cents: Number(cents) }
}

/** Returns the value that a connection sent in the last day. */
export async function spentBy(reader: Reader, connectionId: string, nowSeconds: number): Promise<number> {
  const { cents } = await requestTables(reader)
    .selectFrom('cross_app_spending')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('cents'), lit(0)).as('cents'))
    .where('connection_id', '=', connectionId)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirstOrThrow()
  return Number(cents)
}

type OfSession = { id: string; sessionId: string }

/** Binds the request to the first page that reads it. Returns false if another page was first. */
export async function bindRequest(
  reader: Reader,
  { id, sessionId }: OfSession,
  nowSeconds: number,
): Promise<boolean> {
  const bound = await requestTables(reader)
    .updateTable('cross_app_requests')
    .set({ state: 'read', session_id: sessionId })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', nowSeconds)
    .returning('id')
    .executeTakeFirst()
  return bound !== undefined
}

/** Stores the signed transaction once, before it is sent. */
export async function beginSending(
  trx: Trx,
  { id, sessionId, signed }: OfSession & { signed: string },
  nowSeconds: number,
): Promise<RequestRow | undefined> {
  return requestTables(trx)
    .updateTable('cross_app_requests')
    .set({ state: 'sending', result: signed, sent_at: nowSeconds })
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .where('state', '=', 'read')
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()
}

/** Takes over an abandoned transaction by compare-and-set. */
export async function takeOverSending(
  reader: Reader,
  { id, sent_at }: Pick<RequestRow, 'id' | 'sent_at'>,
  nowSeconds: number,
): Promise<boolean> {
  const row = await requestTables(reader)
    .updateTable('cross_app_requests')
    .set({ sent_at: nowSeconds })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('sent_at', '=', sent_at)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type Settlement = Pick<RequestRow, 'id' | 'result' | 'error'> & {
  state: 'completed' | 'failed'
} & ({ from: 'read'; sessionId: string; nowSeconds: number } | { from: 'sending' })

/** Settles a request once. Expiry applies to a request that waits for the user, but not to one that is being sent. */
export async function settleRequest(trx: Trx, settlement: Settlement): Promise<RequestRow | undefined> {
  const { id, state, result, error } = settlement
  const settled = requestTables(trx)
    .updateTable('cross_app_requests')
    .set({ state, result, error })
    .where('id', '=', id)
    .where('state', '=', settlement.from)
    .returningAll()
  if (settlement.from === 'sending') return settled.executeTakeFirst()
  return settled
    .where('session_id', '=', settlement.sessionId)
    .where('expires_at', '>', settlement.nowSeconds)
    .executeTakeFirst()
}

export async function countSpending(
  trx: Trx,
  { id, user_id, connection_id }: RequestRow,
  { cents, expiresAt }: { cents: number; expiresAt: number },
): Promise<void> {
  await requestTables(trx)
    .insertInto('cross_app_spending')
    .values({ request_id: id, user_id, connection_id, cents, expires_at: expiresAt })
    .execute()
}

/** Refunds the spending of a transaction that the chain refused. */
export async function giveBackSpending(trx: Trx, id: string): Promise<void> {
  await requestTables(trx).deleteFrom('cross_app_spending').where('request_id', '=', id).execute()
}
