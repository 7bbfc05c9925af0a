/**
 * Counts the users of apps with a user limit, in one row per app. The count is exact from the moment the limit is set.
 * Apps without a limit have no row.
 */
import type { Reader, Trx } from '../../kernel/ports.ts'

type UserCountTable = { app_id: string; users: number }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    user_counts: UserCountTable
  }
}

/**
 * Reserves a place for a new user. Returns false if the app is full. Concurrent calls for the last place are
 * serialized; the place is taken on commit.
 */
export async function reservePlace(trx: Trx, appId: string): Promise<boolean> {
  const reserved = await trx
    .updateTable('user_counts')
    .set((row) => ({ users: row('users', '+', 1) }))
    .where('app_id', '=', appId)
    .where((row) =>
      row('users', '<', row.selectFrom('apps').select('max_users').where('id', '=', appId).$asScalar()),
    )
    .returning('users')
    .executeTakeFirst()
  return reserved !== undefined
}

/** Releases a place, in the transaction that removes a user or did not need the reservation. */
export async function releasePlace(trx: Trx, appId: string): Promise<void> {
  await trx
    .updateTable('user_counts')
    .set((row) => ({ users: row('users', '-', 1) }))
    .where('app_id', '=', appId)
    .execute()
}

/** Recounts the users when an operator sets the limit. Concurrent logins wait for it. */
export async function recountPlaces(reader: Reader, appId: string): Promise<void> {
  await reader
    .insertInto('user_counts')
    .values({ app_id: appId, users: 0 })
    .onConflict((conflict) =>
      conflict.column('app_id').doUpdateSet((row) => ({ users: row.ref('user_counts.users') })),
    )
    .execute()
  // A separate statement, so that it sees the transactions for which the previous one waited.
  await reader
    .updateTable('user_counts')
    .set((row) => ({
      users: row
        .selectFrom('users')
        .select((users) => users.fn.countAll<number>().as('users'))
        .where('users.app_id', '=', appId)
        .where('users.deleted_at', 'is', null),
    }))
    .where('app_id', '=', appId)
    .execute()
}
