import { sql } from 'kysely'
import type { OverdueRows } from '../../kernel/db/cleanup.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import type { LastRowRule } from '../../kernel/user-rows.ts'

const cleanupLimits = {
  /** The number of deleted users that one cleanup run processes. */
  usersARun: 500,
} as const

export const getAccounts = (trx: Trx, userId: string) =>
  trx.selectFrom('linked_accounts').select(['type', 'identifier']).where('user_id', '=', userId).execute()

type Emptied = { appId: string; userId: string; nowSeconds: number }

/** Empties the user row. The app's current setting decides how long the row is retained. */
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
      first_account_id: null,
      blocked_at: null,
      block_reason: null,
    })
    .where('id', '=', userId)
    .where('app_id', '=', appId)
    .execute()
}

/**
 * Returns the overdue rows of deleted users. The user row goes last, because the other rows are found by it.
 */
export async function overdueUsers(
  reader: Reader,
  nowSeconds: number,
  lastRows: readonly LastRowRule[],
): Promise<OverdueRows[]> {
  const users = await reader
    .selectFrom('users')
    .select('id')
    .where('kept_until', '<=', nowSeconds)
    .orderBy('kept_until')
    .limit(cleanupLimits.usersARun)
    .execute()
  const overdue: OverdueRows[] = []
  for (const { id } of users) {
    const remaining = await findRemainingRows(reader, id, lastRows)
    for (const { table, key, column } of remaining) {
      const where = { column: 'user_id', is: id }
      overdue.push({ table, key, column, upTo: nowSeconds, where })
    }
    if (remaining.length > 0) continue
    const where = { column: 'id', is: id }
    overdue.push({ table: 'users', key: ['id'], column: 'kept_until', upTo: nowSeconds, where })
  }
  return overdue
}

async function findRemainingRows(
  reader: Reader,
  userId: string,
  lastRows: readonly LastRowRule[],
): Promise<LastRowRule[]> {
  const remaining: LastRowRule[] = []
  for (const declared of lastRows) {
    const { rows } =
      await sql`select 1 from ${sql.table(declared.table)} where user_id = ${userId} limit 1`.execute(reader)
    if (rows.length > 0) remaining.push(declared)
  }
  return remaining
}
