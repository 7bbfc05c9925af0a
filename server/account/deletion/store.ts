import { sql } from 'kysely'
import type { OverdueRows } from '../../kernel/db/cleanup.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import type { LastRowRule } from '../../kernel/user-rows.ts'

const cleanupLimits = {
  /** The number of deleted users that one run takes, each with what is left of them. */
  usersARun: 500,
} as const

export const getAccounts = (trx: Trx, userId: string) =>
  trx.selectFrom('linked_accounts').select(['type', 'identifier']).where('user_id', '=', userId).execute()

type Emptied = { appId: string; userId: string; nowSeconds: number }

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
      first_account_id: null,
    })
    .where('id', '=', userId)
    .where('app_id', '=', appId)
    .execute()
}

/**
 * Rows of users whose time is over: first what capabilities left of a user until then, after that the user's own row,
 * because the others are found by it.
 */
export async function overdueUsers(
  reader: Reader,
  nowSeconds: number,
  lastRows: readonly LastRowRule[],
): Promise<readonly OverdueRows[]> {
  const users = await reader
    .selectFrom('users')
    .select('id')
    .where('kept_until', '<=', nowSeconds)
    .orderBy('kept_until')
    .limit(cleanupLimits.usersARun)
    .execute()
  const overdue: OverdueRows[] = []
  for (const { id } of users) {
    const left = await thereOf(reader, id, lastRows)
    for (const { table, key, column } of left) {
      const where = { column: 'user_id', is: id }
      overdue.push({ table, key, column, upTo: nowSeconds, where })
    }
    if (left.length > 0) continue
    const where = { column: 'id', is: id }
    overdue.push({ table: 'users', key: ['id'], column: 'kept_until', upTo: nowSeconds, where })
  }
  return overdue
}

async function thereOf(
  reader: Reader,
  userId: string,
  lastRows: readonly LastRowRule[],
): Promise<readonly LastRowRule[]> {
  const found: LastRowRule[] = []
  for (const declared of lastRows) {
    const { rows } =
      await sql`select 1 from ${sql.table(declared.table)} where user_id = ${userId} limit 1`.execute(reader)
    if (rows.length > 0) found.push(declared)
  }
  return found
}
