/**
 * Rows that name a user. A capability declares each of its tables with a column `user_id`, and when its rows go: what a
 * deletion does with a table follows from that, so nothing lists the tables of others. `start/user-rows.test.ts` holds
 * that no such table is left out.
 */
import { sql } from 'kysely'
import type { LeavingUser, Trx } from './ports.ts'

export type UserRows = { table: string } & (
  | {
      /** The transaction that deletes the user deletes them. */
      goes: 'with the account'
      /** The columns that find them, as an index of the table begins. */
      by: readonly ('app_id' | 'user_id')[]
    }
  /** They outlast their user, by an expiry of the capability. */
  | { goes: 'by age' }
  | LastRows
)
/**
 * What is left under the id of a deleted user, and what was begun for them meanwhile, goes right before the last row of
 * that user does.
 */
export type LastRows = {
  table: string
  goes: 'with the last row'
  key: readonly string[]
  /** The time at which a row was made. */
  column: string
}

/** Deletes those of a user that go with the account, one table after the other. */
export async function deleteUserRows(
  trx: Trx,
  { appId, userId }: LeavingUser,
  declared: readonly UserRows[],
): Promise<void> {
  const values = { app_id: appId, user_id: userId }
  for (const rows of declared) {
    if (rows.goes !== 'with the account') continue
    const found = sql.join(
      rows.by.map((column) => sql`${sql.ref(column)} = ${values[column]}`),
      sql` and `,
    )
    await sql`delete from ${sql.table(rows.table)} where ${found}`.execute(trx)
  }
}
