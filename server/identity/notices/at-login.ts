/** Selects the notices that a session may see and answer. */
import type { ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { firstAccountId } from '../users/users.ts'
import { deleteNotice, findNotices } from './store.ts'
import type { NoticeRow } from './tables.ts'

type NoticeViewer = {
  app: Pick<App, 'login'>
  userId: string
  sessionId: string
}

/**
 * Returns the pending notices for a session. An attacker who linked an account could otherwise dismiss the notice about
 * it. So the session must have logged in with the sign-up account, or with an account that is old enough and was linked
 * before the change. The session that made the change never sees the notice.
 */
export async function findVisibleNotices(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { app, userId, sessionId }: NoticeViewer,
): Promise<readonly NoticeRow[]> {
  const now = nowSeconds(clock)
  const pending = await findNotices(reader, userId, now)
  if (pending.length === 0) return []
  const session = await reader
    .selectFrom('sessions')
    .select(['account_id', 'account_linked_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  const since = session?.account_linked_at ?? null
  if (!session || since === null) return []
  const isFirst = session.account_id === (await firstAccountId(reader, userId))
  const isSettled = since <= now - app.login.newMethodHours * 3_600
  return pending.filter(
    ({ session_id, created_at }) =>
      session_id !== sessionId && (isFirst || (isSettled && since < created_at)),
  )
}

/** Removes and returns a notice. Returns undefined if it was answered already or is not for this session. */
export async function takeNotice(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  { id, ...asked }: NoticeViewer & { id: string },
): Promise<NoticeRow | undefined> {
  const notice = (await findVisibleNotices(trx, context, asked)).find((each) => each.id === id)
  if (notice) await deleteNotice(trx, id)
  return notice
}
