/** What a wallet may move in a day without the page: the operator's limits, and what is left of them. */
import type { App, Reader, Trx } from '../ports.ts'
import { holdUser } from '../users/users.ts'
import * as store from './store.ts'
import type { CountedAs } from './tables.ts'

const CENTS = 100

/** Null: no limit. */
export function limitInCents(
  { frameApprovalsUsdPerDay, noPrompt }: App['approvals'],
  countedAs: CountedAs,
): number | null {
  // Where nothing may be silent, not even what is worth nothing fits.
  const silent = noPrompt === null ? -1 : noPrompt.usdPerDay
  const usd = countedAs === 'allowance' ? frameApprovalsUsdPerDay : silent
  return usd === null ? null : Math.floor(usd * CENTS)
}

/** As it is now, for whoever decides where to ask. */
export async function fits(
  reader: Reader,
  { walletId, countedAs }: { readonly walletId: string; readonly countedAs: CountedAs },
  limit: number | null,
  cents: number,
  nowSeconds: number,
): Promise<boolean> {
  if (limit === null) return true
  return (await store.spent(reader, walletId, countedAs, nowSeconds)) + cents <= limit
}

type Spending = {
  readonly id: string
  readonly userId: string
  readonly walletId: string
  readonly countedAs: CountedAs
}

/**
 * Counts it, if it fits. Whoever spends of the same wallet meanwhile waits for the end of this transaction: a statement
 * does not see what others have not yet committed.
 */
export async function spend(
  trx: Trx,
  spending: Spending,
  limit: number | null,
  cents: number,
  nowSeconds: number,
): Promise<boolean> {
  await holdUser(trx, spending)
  return store.countSpending(trx, spending, cents, limit, nowSeconds)
}
