import { isSameAddress } from '@latchkey/protocol'
import { confirmationPlaces } from '@latchkey/protocol/wallet'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { confirmServerLimits } from './limits.ts'
import { type ConfirmationRow, confirmationTables } from './tables.ts'

/** Finds the user's committed wallet with this address. */
export async function committedWalletAt(
  reader: Reader,
  { appId, userId }: { appId: string; userId: string },
  requestedAddress: string,
): Promise<{ id: string; address: string } | undefined> {
  const wallets = await reader
    .selectFrom('wallets')
    .select(['id', 'address', 'solana_address'])
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('status', '=', 'committed')
    .execute()
  return wallets
    .flatMap(({ id, address, solana_address }) =>
      [address, solana_address].flatMap((one) => (one === null ? [] : [{ id, address: one }])),
    )
    .find(({ address }) => isSameAddress(address, requestedAddress))
}

/** Counts refused requests until they expire. Otherwise a caller could add unlimited rows by refusing its own requests. */
const selectOpen = (reader: Reader, sessionId: string, nowSeconds: number) =>
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
export async function getOpenUsage(reader: Reader, sessionId: string, nowSeconds: number) {
  const { count, bytes } = await selectOpen(reader, sessionId, nowSeconds).executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes) }
}

export type OpenLimits = { maxOpen: number; maxBytes: number; nowSeconds: number }

/**
 * Inserts the confirmation. Returns undefined if the handle exists or the session is at its limit. One statement
 * checks and inserts, so concurrent calls cannot exceed the limit.
 */
export function insertConfirmation(
  reader: Reader,
  row: ConfirmationRow,
  { maxOpen, maxBytes, nowSeconds }: OpenLimits,
): Promise<ConfirmationRow | undefined> {
  return confirmationTables(reader)
    .insertInto('confirmations')
    .columns(getColumns(row))
    .expression((one) =>
      one
        .selectFrom(selectOpen(reader, row.session_id, nowSeconds).as('open'))
        .select(getColumns(row).map((column) => one.val(row[column]).as(column)))
        .where('open.count', '<', maxOpen)
        .where('open.bytes', '<=', maxBytes - row.bytes),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

const getColumns = <Row extends object>(row: Row) => Object.keys(row) as (keyof Row & string)[]

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

type Placement = Pick<ConfirmationRow, 'place' | 'reason' | 'cents' | 'counts_as'>

/** Moves an open confirmation to a stricter approval surface. */
export async function restrict(
  reader: Reader,
  { id, app_id }: Pick<ConfirmationRow, 'id' | 'app_id'>,
  { place, reason, cents, counts_as }: Placement,
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

/** Decides an open confirmation once. Returns false if another call decided it first. */
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

export type ConsumeTarget = Pick<
  ConfirmationRow,
  'id' | 'app_id' | 'user_id' | 'session_id' | 'wallet_id' | 'digest'
>

/**
 * Consumes a confirmation for one signature or action. Returns undefined if it is no longer open or approved, or does
 * not match the caller.
 */
export const consume = (
  trx: Trx,
  { id, app_id, user_id, session_id, wallet_id, digest }: ConsumeTarget,
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

type BudgetKey = { walletId: string; budget: string }

/** Returns the usage of the last day, in the unit of the budget. */
export async function getSpent(reader: Reader, counted: BudgetKey, nowSeconds: number): Promise<number> {
  const row = await selectSpent(reader, counted, nowSeconds).executeTakeFirstOrThrow()
  return Number(row.amount)
}

const selectSpent = (reader: Reader, { walletId, budget }: BudgetKey, nowSeconds: number) =>
  confirmationTables(reader)
    .selectFrom('wallet_spending')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('cents'), lit(0)).as('amount'))
    .where('wallet_id', '=', walletId)
    .where('counted_as', '=', budget)
    .where('expires_at', '>', nowSeconds)

/** Counts an amount against a budget. Returns false if it does not fit. One statement checks and inserts. */
export async function countSpending(
  trx: Trx,
  spending: BudgetKey & { id: string; userId: string; amount: number },
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
    .columns(getColumns(row))
    .expression((one) =>
      one
        .selectFrom(selectSpent(trx, spending, nowSeconds).as('spent'))
        .select(getColumns(row).map((column) => one.val(row[column]).as(column)))
        .$if(most !== null, (values) => values.where('spent.amount', '<=', (most ?? 0) - amount)),
    )
    .returning('confirmation_id')
    .executeTakeFirst()
  return counted !== undefined
}
