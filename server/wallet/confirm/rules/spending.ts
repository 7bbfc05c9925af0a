/** What a wallet may do in a day without the page, and what is left of it. */

import { holdUser } from '../../../identity/users/users.ts'
import type { ApprovalSettings } from '../../../kernel/app-settings/approval-settings.ts'
import type { Reader, Trx } from '../../../kernel/ports.ts'
import * as store from '../store.ts'
import { type Limit, limitOf } from './budgets.ts'

type Spending = {
  walletId: string
  budgets: readonly string[]
  /** What it moves and costs; null where nobody knows. */
  cents: number | null
}

/** What one use takes of a limit; undefined where it can not be told, and the limit asks for it. */
function amountOf({ unit, most }: Limit, cents: number | null): number | undefined {
  if (unit === 'times') return 1
  return cents ?? (most === null ? 0 : undefined)
}

/** What there is no room for as it is now, if anything: for whoever decides where to ask. */
export async function exceeded(
  reader: Reader,
  approvals: ApprovalSettings,
  { walletId, budgets, cents }: Spending,
  nowSeconds: number,
): Promise<Limit['unit'] | undefined> {
  for (const budget of budgets) {
    const limit = limitOf(approvals, budget)
    if (limit?.most === null) continue
    const amount = limit && amountOf(limit, cents)
    if (limit === undefined || amount === undefined) return 'cents'
    if ((await store.spent(reader, { walletId, budget }, nowSeconds)) + amount > limit.most) return limit.unit
  }
  return undefined
}

/**
 * Counts it against each of its budgets, or says that it does not fit: then the transaction is not to be committed.
 * Whoever spends of the same wallet meanwhile waits for the end of it: a statement does not see what others have not
 * yet committed.
 */
export async function spend(
  trx: Trx,
  approvals: ApprovalSettings,
  spending: Spending & { id: string; userId: string },
  nowSeconds: number,
): Promise<boolean> {
  await holdUser(trx, spending)
  for (const budget of spending.budgets) {
    const limit = limitOf(approvals, budget)
    const amount = limit && amountOf(limit, spending.cents)
    if (limit === undefined || amount === undefined) return false
    if (!(await store.countSpending(trx, { ...spending, budget, amount }, limit.most, nowSeconds)))
      return false
  }
  return true
}
