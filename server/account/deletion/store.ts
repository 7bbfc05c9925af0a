import type { Overdue } from '../../kernel/db/cleanup.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { cleanupLimits } from './limits.ts'

export const accountsOf = (trx: Trx, userId: string) =>
  trx.selectFrom('linked_accounts').select(['type', 'identifier']).where('user_id', '=', userId).execute()

/** Codes go to them too. */
export async function verifyingNumbers(trx: Trx, userId: string) {
  const methods = await trx
    .selectFrom('mfa_methods')
    .select('phone_number')
    .where('user_id', '=', userId)
    .execute()
  return methods.flatMap(({ phone_number: identifier }) => (identifier === null ? [] : [{ identifier }]))
}

type Emptied = { readonly appId: string; readonly userId: string; readonly nowSeconds: number }

/** How long the row is kept is decided here, by what the app says now. */
export async function emptyUser(trx: Trx, { appId, userId, nowSeconds }: Emptied): Promise<void> {
  const { deleted_users_kept_days: days } = await trx
    .selectFrom('apps')
    .select('deleted_users_kept_days')
    .where('id', '=', appId)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('users')
    .set({
      created_at: nowSeconds,
      accepted_terms_at: null,
      deleted_at: nowSeconds,
      kept_until: nowSeconds + days * 86_400,
    })
    .where('id', '=', userId)
    .where('app_id', '=', appId)
    .execute()
}

/** What was begun for a user while they were deleted, and what was written down. */
const ofUser = ['wallets', 'audit_log'] as const

/**
 * Rows of users whose time is over: first what there is of a user, then the user's own row, because the others are
 * found by it.
 */
export async function overdueUsers(reader: Reader, nowSeconds: number): Promise<readonly Overdue[]> {
  const users = await reader
    .selectFrom('users')
    .select('id')
    .where('kept_until', '<=', nowSeconds)
    .orderBy('kept_until')
    .limit(cleanupLimits.usersARun)
    .execute()
  const overdue: Overdue[] = []
  for (const { id } of users) {
    const left = await tablesWith(reader, id)
    for (const table of left) {
      const where = { column: 'user_id', is: id }
      overdue.push({ table, key: ['id'], column: 'created_at', upTo: nowSeconds, where })
    }
    if (left.length > 0) continue
    const where = { column: 'id', is: id }
    overdue.push({ table: 'users', key: ['id'], column: 'kept_until', upTo: nowSeconds, where })
  }
  return overdue
}

async function tablesWith(reader: Reader, userId: string): Promise<readonly (typeof ofUser)[number][]> {
  const found: (typeof ofUser)[number][] = []
  for (const table of ofUser) {
    const row = await reader
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) found.push(table)
  }
  return found
}
