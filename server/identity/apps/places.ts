/**
 * How many users an app with a limit takes: one number an app, which the statement that takes a place counts up.
 * It is true from the moment that the limit is set; an app without one counts nothing.
 */
import type { Reader, Trx } from '../../kernel/ports.ts'

/** Users of an app that has a limit. */
type UserCountTable = { app_id: string; users: number }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    user_counts: UserCountTable
  }
}

/** False where the app is full. Of several who come for the last place, one gets it; it is theirs with the commit. */
export async function takePlace(trx: Trx, appId: string): Promise<boolean> {
  const taken = await trx
    .updateTable('user_counts')
    .set((row) => ({ users: row('users', '+', 1) }))
    .where('app_id', '=', appId)
    .where((row) =>
      row('users', '<', row.selectFrom('apps').select('max_users').where('id', '=', appId).$asScalar()),
    )
    .returning('users')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * A place that nobody moved into is given back, and so is that of every user who is removed, in the transaction that
 * removes them.
 */
export async function givePlaceBack(trx: Trx, appId: string): Promise<void> {
  await trx
    .updateTable('user_counts')
    .set((row) => ({ users: row('users', '-', 1) }))
    .where('app_id', '=', appId)
    .execute()
}

/** Whoever takes a place meanwhile waits for the end of this, which an operator does and no login. */
export async function countPlaces(reader: Reader, appId: string): Promise<void> {
  await reader
    .insertInto('user_counts')
    .values({ app_id: appId, users: 0 })
    .onConflict((conflict) =>
      conflict.column('app_id').doUpdateSet((row) => ({ users: row.ref('user_counts.users') })),
    )
    .execute()
  // A statement of its own, so that it sees everybody whom the one before has waited for.
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
