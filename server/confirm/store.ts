import { isSameAddress } from '@latchkey/protocol'
import { confirmServerLimits } from '../limits.ts'
import type { Reader, Trx } from '../ports.ts'
import { type ConfirmationRow, type CountedAs, confirmationTables } from './tables.ts'

/** The wallet that a request is for, where the user has it. */
export async function committedWalletAt(
  reader: Reader,
  { appId, userId }: { readonly appId: string; readonly userId: string },
  asked: string,
): Promise<{ readonly id: string; readonly address: string } | undefined> {
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

/** How many wait for the user of this session, and how long they are together. */
export async function openOf(reader: Reader, sessionId: string, nowSeconds: number) {
  const row = await confirmationTables(reader)
    .selectFrom('confirmations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
    .where('session_id', '=', sessionId)
    .where('state', '=', 'open')
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
}

/** Undefined where there was one with this handle. */
export const put = (reader: Reader, row: ConfirmationRow): Promise<ConfirmationRow | undefined> =>
  confirmationTables(reader)
    .insertInto('confirmations')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (
  reader: Reader,
  { id, appId }: { readonly id: string; readonly appId: string },
): Promise<ConfirmationRow | undefined> =>
  confirmationTables(reader)
    .selectFrom('confirmations')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()

/** Whatever it counted as is not counted on the page. */
export async function toPage(reader: Reader, { id, app_id }: ConfirmationRow): Promise<void> {
  await confirmationTables(reader)
    .updateTable('confirmations')
    .set({ place: 'page', reason: 'browser' })
    .where('id', '=', id)
    .where('app_id', '=', app_id)
    .where('state', '=', 'open')
    .execute()
}

type Decision = Pick<ConfirmationRow, 'id' | 'app_id' | 'digest'> & {
  readonly state: 'approved' | 'refused'
  readonly expiresAt: number
}

/** Once, while it is open: of several who decide, one does. */
export async function decide(reader: Reader, decision: Decision, nowSeconds: number): Promise<void> {
  const { id, app_id, digest, state, expiresAt } = decision
  await confirmationTables(reader)
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
    .execute()
}

export type Usable = Pick<
  ConfirmationRow,
  'id' | 'app_id' | 'user_id' | 'session_id' | 'wallet_id' | 'digest'
>

/** For one signature or action: undefined for whatever is not open or approved any more, or is somebody else's. */
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

/** In cents, of the last day. */
export async function spent(
  reader: Reader,
  walletId: string,
  countedAs: CountedAs,
  nowSeconds: number,
): Promise<number> {
  const row = await confirmationTables(reader)
    .selectFrom('wallet_spending')
    .select(({ fn }) => fn.sum<number | null>('cents').as('cents'))
    .where('wallet_id', '=', walletId)
    .where('counted_as', '=', countedAs)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirstOrThrow()
  return Number(row.cents ?? 0)
}

export async function countSpending(
  trx: Trx,
  spending: {
    readonly id: string
    readonly userId: string
    readonly walletId: string
    readonly countedAs: CountedAs
  },
  cents: number,
  nowSeconds: number,
): Promise<void> {
  await confirmationTables(trx)
    .insertInto('wallet_spending')
    .values({
      confirmation_id: spending.id,
      user_id: spending.userId,
      wallet_id: spending.walletId,
      counted_as: spending.countedAs,
      cents,
      expires_at: nowSeconds + confirmServerLimits.spendingSeconds,
    })
    .execute()
}
