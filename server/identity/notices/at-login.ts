/** Whom a kept notice is shown to: a session that somebody who came in lately does not have. */
import type { ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { firstAccountId } from '../users/users.ts'
import { forgetNotice, noticesOf } from './store.ts'
import type { NoticeRow } from './tables.ts'

type Asked = {
  app: Pick<App, 'login'>
  userId: string
  sessionId: string
}

/**
 * Whoever linked an account of their own would say that all was well. So a session is asked that was logged in with what
 * the user began with, or with an account that is no new one and was there before. The one that did it is not asked.
 */
export async function noticesAtLogin(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { app, userId, sessionId }: Asked,
): Promise<readonly NoticeRow[]> {
  const now = nowSeconds(clock)
  const kept = await noticesOf(reader, userId, now)
  if (kept.length === 0) return []
  const session = await reader
    .selectFrom('sessions')
    .select(['account_id', 'account_linked_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  const since = session?.account_linked_at ?? null
  if (!session || since === null) return []
  const isFirst = session.account_id === (await firstAccountId(reader, userId))
  const isSettled = since <= now - app.login.newMethodHours * 3_600
  return kept.filter(
    ({ session_id, created_at }) =>
      session_id !== sessionId && (isFirst || (isSettled && since < created_at)),
  )
}

/** The notice for the one that answers it; undefined where another session did, or where it is none of this one's. */
export async function takeNotice(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  { id, ...asked }: Asked & { id: string },
): Promise<NoticeRow | undefined> {
  const found = (await noticesAtLogin(trx, context, asked)).find((each) => each.id === id)
  if (found) await forgetNotice(trx, id)
  return found
}
