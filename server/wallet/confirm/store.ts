import { isSameAddress } from '@latchkey/protocol'
import { confirmationPlaces } from '@latchkey/protocol/wallet'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { confirmServerLimits } from './limits.ts'
import { type ConfirmationRow, confirmationTables } from './tables.ts'

/** The wallet that a request is for, where the user has it. */
export async function committedWalletAt(
  reader: Reader,
  { appId, userId }: { appId: string; userId: string },
  asked: string,
): Promise<{ id: string; address: string } | undefined> {
  const wallets = await reader
    .selectFrom('wallets')
    .select(['id', 'address'])
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('status', '=', 'committed')
    .execute()
  return wallets
    .flatMap(({ id, address }) => (address === null ? [] : [{ id, address }]))
    .find(({ address }) => isSameAddress(address, asked))
}

/** A refused request counts until its end. Otherwise a caller adds rows without limit by refusing its own requests. */
const openOfSession = (reader: Reader, sessionId: string, nowSeconds: number) =>
  confirmationTables(reader)
    .selectFrom('confirmations')
    .select(({ fn, lit }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('bytes'), lit(0)).as('bytes'),
    ])
    .where('session_id', '=', sessionId)
    .where('state', 'in', ['open', 'refused'])
    .where('expires_at', '>', nowSeconds)

/** Returns the number of requests that are open or refused in this session, and their size. */
export async function openOf(reader: Reader, sessionId: string, nowSeconds: number) {
  const { count, bytes } = await openOfSession(reader, sessionId, nowSeconds).executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes) }
}

export type Room = { maxOpen: number; maxBytes: number; nowSeconds: number }

/**
 * Undefined where there was one with this handle, or its session has no room: that is decided by the statement that
 * takes it, whatever was read before.
 */
export function put(
  reader: Reader,
  row: ConfirmationRow,
  { maxOpen, maxBytes, nowSeconds }: Room,
): Promise<ConfirmationRow | undefined> {
  return confirmationTables(reader)
    .insertInto('confirmations')
    .columns(columnsOf(row))
    .expression((one) =>
      one
        .selectFrom(openOfSession(reader, row.session_id, nowSeconds).as('open'))
        .select(columnsOf(row).map((column) => one.val(row[column]).as(column)))
        .where('open.count', '<', maxOpen)
        .where('open.bytes', '<=', maxBytes - row.bytes),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

const columnsOf = <Row extends object>(row: Row) => Object.keys(row) as (keyof Row & string)[]

export const find = (
  reader: Reader,
  { id, appId }: { id: string; appId: string },
): Promise<ConfirmationRow | undefined> =>
  confirmationTables(reader)
    .selectFrom('confirmations')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()

type Placed = Pick<ConfirmationRow, 'place' | 'reason' | 'cents' | 'counts_as'>

/** The request is approved at a stricter place from now on, whatever was made for it before. */
export async function restrict(
  reader: Reader,
  { id, app_id }: Pick<ConfirmationRow, 'id' | 'app_id'>,
  { place, reason, cents, counts_as }: Placed,
): Promise<void> {
  const laxer = confirmationPlaces.slice(0, confirmationPlaces.indexOf(place))
  if (laxer.length === 0) return
  await confirmationTables(reader)
    .updateTable('confirmations')
    .set({ place, reason, cents, counts_as })
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('state', '=', 'open')
    .where('place', 'in', laxer)
    .execute()
}

type Decision = Pick<ConfirmationRow, 'id' | 'app_id' | 'digest'> & {
  state: 'approved' | 'refused'
  expiresAt: number
}

/** Once, while it is open: of several who decide, one does, and is told so. */
export async function decide(reader: Reader, decision: Decision, nowSeconds: number): Promise<boolean> {
  const { id, app_id, digest, state, expiresAt } = decision
  const { numUpdatedRows } = await confirmationTables(reader)
    .updateTable('confirmations')
    .set({
      state,
      on_page: 1,
      expires_at: expiresAt,
      ...(state === 'refused' && { request: '', bytes: 0 }),
    })
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('digest', '=', digest)
    .where('state', '=', 'open')
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export type Usable = Pick<
  ConfirmationRow,
  'id' | 'app_id' | 'user_id' | 'session_id' | 'wallet_id' | 'digest'
>

/**
 * Uses a confirmation for one signature or action. Undefined for one that is not open or approved any more, or is
 * somebody else's.
 */
export const use = (
  trx: Trx,
  { id, app_id, user_id, session_id, wallet_id, digest }: Usable,
  nowSeconds: number,
): Promise<ConfirmationRow | undefined> =>
  confirmationTables(trx)
    .updateTable('confirmations')
    .set({ state: 'used', request: '', bytes: 0 })
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('user_id', '=', user_id)
    .where('session_id', '=', session_id)
    .where('wallet_id', '=', wallet_id)
    .where('digest', '=', digest)
    .where('expires_at', '>', nowSeconds)
    .where((row) =>
      row.or([
        row('state', '=', 'approved'),
        row.and([row('state', '=', 'open'), row('place', '!=', 'page')]),
      ]),
    )
    .returningAll()
    .executeTakeFirst()

type Counted = { walletId: string; budget: string }

/** The sum of the last day, in the unit of the budget. */
export async function spent(reader: Reader, counted: Counted, nowSeconds: number): Promise<number> {
  const row = await spentOf(reader, counted, nowSeconds).executeTakeFirstOrThrow()
  return Number(row.amount)
}

const spentOf = (reader: Reader, { walletId, budget }: Counted, nowSeconds: number) =>
  confirmationTables(reader)
    .selectFrom('wallet_spending')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('cents'), lit(0)).as('amount'))
    .where('wallet_id', '=', walletId)
    .where('counted_as', '=', budget)
    .where('expires_at', '>', nowSeconds)

/** False where it does not fit: decided by the statement that counts it, whatever was read before. */
export async function countSpending(
  trx: Trx,
  spending: Counted & { id: string; userId: string; amount: number },
  most: number | null,
  nowSeconds: number,
): Promise<boolean> {
  const { id, userId, walletId, budget, amount } = spending
  const row = {
    confirmation_id: `${id} ${budget}`,
    user_id: userId,
    wallet_id: walletId,
    counted_as: budget,
    cents: amount,
    expires_at: nowSeconds + confirmServerLimits.spendingSeconds,
  }
  const counted = await confirmationTables(trx)
    .insertInto('wallet_spending')
    .columns(columnsOf(row))
    .expression((one) =>
      one
        .selectFrom(spentOf(trx, spending, nowSeconds).as('spent'))
        .select(columnsOf(row).map((column) => one.val(row[column]).as(column)))
        .$if(most !== null, (values) => values.where('spent.amount', '<=', (most ?? 0) - amount)),
    )
    .returning('confirmation_id')
    .executeTakeFirst()
  return counted !== undefined
}
