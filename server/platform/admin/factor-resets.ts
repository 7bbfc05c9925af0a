/**
 * Requests to remove the verification methods of a user. An operator with the scope `users:support` makes one, and
 * another operator carries it out, so that one deceived or dishonest person cannot.
 */
import { type AdminFactorReset, adminLimits } from '@latchkey/protocol/admin'
import { type AdminCaller, AdminError } from '../../kernel/http/admin-endpoint.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { isCallerRevoked } from './callers.ts'
import { formatTime } from './pages.ts'
import { type FactorResetRow, withAdminTables } from './tables.ts'

type Owner = { appId: string; userId: string }

export async function findFactorReset(
  reader: Reader,
  clock: Clock,
  userId: string,
): Promise<FactorResetRow | undefined> {
  const row = await withAdminTables(reader)
    .selectFrom('factor_resets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowSeconds(clock))
    .executeTakeFirst()
  return row && !(await isCallerRevoked(reader, row.caller)) ? row : undefined
}

export const describeFactorReset = (row: FactorResetRow | undefined): AdminFactorReset | null =>
  row === undefined
    ? null
    : {
        operator: row.operator,
        at: formatTime(row.requested_at),
        expiresAt: formatTime(row.expires_at),
      }

/**
 * Returns whether the caller may remove the methods now: alone, or after the request of another operator. Otherwise
 * stores the caller's request. Needs the lock of the user.
 */
export async function agreeToReset(
  trx: Trx,
  clock: Clock,
  { appId, userId }: Owner,
  { id: caller, operator, scopes }: AdminCaller,
): Promise<boolean> {
  if (scopes.includes('users:write')) return true
  if (operator === null) {
    throw new AdminError('operator_required', 'Use a key that was created with --operator')
  }
  const earlier = await findFactorReset(trx, clock, userId)
  if (earlier) return earlier.operator !== operator && earlier.caller !== caller
  await removeFactorReset(trx, userId)
  const requested_at = nowSeconds(clock)
  const expires_at = requested_at + adminLimits.factorResetSeconds
  await withAdminTables(trx)
    .insertInto('factor_resets')
    .values({ user_id: userId, app_id: appId, caller, operator, requested_at, expires_at })
    .execute()
  return false
}

export async function removeFactorReset(trx: Trx, userId: string): Promise<void> {
  await withAdminTables(trx).deleteFrom('factor_resets').where('user_id', '=', userId).execute()
}
