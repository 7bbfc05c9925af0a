import type { MfaMethodType } from '@latchkey/protocol'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'

export type MfaMethod = Row<'mfa_methods'>

export const findMethod = (
  reader: Reader,
  userId: string,
  method: MfaMethodType,
): Promise<MfaMethod | undefined> =>
  reader
    .selectFrom('mfa_methods')
    .selectAll()
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .executeTakeFirst()

/** Inserts the row or replaces a pending one. An enrolled method is not replaced. */
export async function upsertPendingMethod(trx: Trx, row: MfaMethod): Promise<void> {
  const { user_id: _user, method: _method, app_id: _app, ...rest } = row
  await trx
    .insertInto('mfa_methods')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'method']).doUpdateSet(rest).where('mfa_methods.status', '=', 'pending'),
    )
    .execute()
}

/** Completes a pending enrolment. Returns false if it expired or was replaced. */
export async function enrollMethod(
  trx: Trx,
  id: string,
  { nowSeconds, lastStep }: { nowSeconds: number; lastStep: number },
): Promise<boolean> {
  const done = await trx
    .updateTable('mfa_methods')
    .set({
      status: 'enrolled',
      enrolled_at: nowSeconds,
      last_step: lastStep,
      session_id: null,
      expires_at: null,
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', nowSeconds)
    .returning('id')
    .executeTakeFirst()
  return done !== undefined
}

export async function removeMethod(trx: Trx, userId: string, method: MfaMethodType): Promise<boolean> {
  const removed = await trx
    .deleteFrom('mfa_methods')
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .where('status', '=', 'enrolled')
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/** Records a change of the method's credentials, so that the method counts as new again. */
export async function markChanged(
  trx: Trx,
  changed: { userId: string; method: MfaMethodType; nowSeconds: number },
): Promise<void> {
  await trx
    .updateTable('mfa_methods')
    .set({ changed_at: changed.nowSeconds })
    .where('user_id', '=', changed.userId)
    .where('method', '=', changed.method)
    .execute()
}

/** Consumes a time step by compare-and-set. Returns false if this or a later step was already used. */
export async function consumeStep(trx: Trx, id: string, step: number): Promise<boolean> {
  const used = await trx
    .updateTable('mfa_methods')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('status', '=', 'enrolled')
    .where('last_step', '<', step)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}
