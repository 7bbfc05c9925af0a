/** Enforces the daily budgets of a wallet for approvals without the confirmation page. */

import { lockUser } from '../../../identity/users/users.ts'
import type { ApprovalSettings } from '../../../kernel/app-settings/approval-settings.ts'
import type { Reader, Trx } from '../../../kernel/ports.ts'
import * as store from '../store.ts'
import { getLimit, type Limit } from './budgets.ts'

type Spending = {
  walletId: string
  budgets: readonly string[]
  /** The value moved plus the fee, or null if unknown. */
  cents: number | null
}

/** Returns the amount to count against a limit, or undefined if the limit needs an unknown value. */
function getAmount({ unit, most }: Limit, cents: number | null): number | undefined {
  if (unit === 'times') return 1
  return cents ?? (most === null ? 0 : undefined)
}

/** Returns the unit of the first budget that the request would exceed now. Decides the approval surface. */
export async function findExceededUnit(
  reader: Reader,
  approvals: ApprovalSettings,
  { walletId, budgets, cents }: Spending,
  nowSeconds: number,
): Promise<Limit['unit'] | undefined> {
  for (const budget of budgets) {
    const limit = getLimit(approvals, budget)
    if (limit?.most === null) continue
    const amount = limit && getAmount(limit, cents)
    if (limit === undefined || amount === undefined) return 'cents'
    if ((await store.getSpent(reader, { walletId, budget }, nowSeconds)) + amount > limit.most)
      return limit.unit
  }
  return undefined
}

/**
 * Counts the request against its budgets. Returns false if one is exceeded, and the caller must roll back. Locks the
 * user first, because a statement does not see uncommitted rows of concurrent transactions.
 */
export async function spend(
  trx: Trx,
  approvals: ApprovalSettings,
  spending: Spending & { id: string; userId: string },
  nowSeconds: number,
): Promise<boolean> {
  await lockUser(trx, spending)
  for (const budget of spending.budgets) {
    const limit = getLimit(approvals, budget)
    const amount = limit && getAmount(limit, spending.cents)
    if (limit === undefined || amount === undefined) return false
    if (!(await store.countSpending(trx, { ...spending, budget, amount }, limit.most, nowSeconds)))
      return false
  }
  return true
}
