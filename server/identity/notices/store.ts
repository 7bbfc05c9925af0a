import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import { randomId } from '../../kernel/ids.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { noticeLimits } from './limits.ts'
import { type NoticeRow, noticeTables } from './tables.ts'

/**
 * The subject of a notice: a wallet recovery on a new device, or a changed method. `change` is serialized by the module
 * that can undo it.
 */
type NoticeSubject = { kind: 'recovered' } | { kind: 'method'; change: string; accountId: string | null }
export type NewNotice = {
  appId: string
  userId: string
  /** The session that made the change. It is never asked about it. */
  sessionId: string
  about: NoticeSubject
  nowSeconds: number
}

/**
 * Stores a notice and enforces the limit per user: notices about removed accounts are deleted first, then the oldest.
 */
export async function storeNotice(
  trx: Trx,
  { appId, userId, sessionId, about, nowSeconds }: NewNotice,
): Promise<void> {
  const tables = noticeTables(trx)
  const isMethod = about.kind === 'method'
  await tables
    .insertInto('login_notices')
    .values({
      id: `ntc_${randomId()}`,
      app_id: appId,
      user_id: userId,
      session_id: sessionId,
      change: isMethod ? about.change : null,
      account_id: isMethod ? about.accountId : null,
      created_at: nowSeconds,
      expires_at: nowSeconds + noticeLimits.keptSeconds,
    })
    .execute()
  await tables
    .deleteFrom('login_notices')
    .where('user_id', '=', userId)
    .where('account_id', 'is not', null)
    .where(
      'account_id',
      'not in',
      trx.selectFrom('linked_accounts').select('id').where('user_id', '=', userId),
    )
    .execute()
  const all = await tables
    .selectFrom('login_notices')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const surplus = all.slice(noticeLimits.perUser).map(({ id }) => id)
  if (surplus.length === 0) return
  await tables.deleteFrom('login_notices').where('id', 'in', surplus).execute()
}

const pendingNotices = compileQuery((db, value: Placeholder<{ userId: string; nowSeconds: number }>) =>
  noticeTables(db)
    .selectFrom('login_notices')
    .selectAll()
    .where('user_id', '=', value('userId'))
    .where('expires_at', '>', value('nowSeconds'))
    .orderBy('created_at')
    .orderBy('id'),
)
/** Returns the pending notices of a user, oldest first. Every login reads them. */
export const findNotices = (
  reader: Reader,
  userId: string,
  nowSeconds: number,
): Promise<readonly NoticeRow[]> => pendingNotices(reader, { userId, nowSeconds })

export async function deleteNotice(trx: Trx, id: string): Promise<void> {
  await noticeTables(trx).deleteFrom('login_notices').where('id', '=', id).execute()
}
