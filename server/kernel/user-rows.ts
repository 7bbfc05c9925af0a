/**
 * Deletion rules for rows that refer to a user. A capability declares each table with a `user_id` column and when its
 * rows are deleted. `start/user-rows.test.ts` checks that every such table is declared.
 */
import { sql } from 'kysely'
import type { DeletedUser, Trx } from './ports.ts'

export type UserRowRule = { table: string } & (
  | {
      /** Deleted by the transaction that deletes the user. */
      goes: 'with the account'
      /** The columns of the where clause, in the order of an index. */
      by: readonly ('app_id' | 'user_id')[]
    }
  /** Kept after the user's deletion, until an expiry rule deletes them. */
  | { goes: 'by age' }
  | LastRowRule
)
/** Rows under the id of a deleted user, deleted right before the last row of that user. */
export type LastRowRule = {
  table: string
  goes: 'with the last row'
  key: readonly string[]
  /** The creation time of a row. */
  column: string
}

/** Deletes the rows of a user that go with the account. */
export async function deleteUserRows(
  trx: Trx,
  { appId, userId }: DeletedUser,
  declared: readonly UserRowRule[],
): Promise<void> {
  const values = { app_id: appId, user_id: userId }
  for (const rows of declared) {
    if (rows.goes !== 'with the account') continue
    const condition = sql.join(
      rows.by.map((column) => sql`${sql.ref(column)} = ${values[column]}`),
      sql` and `,
    )
    await sql`delete from ${sql.table(rows.table)} where ${condition}`.execute(trx)
  }
}
