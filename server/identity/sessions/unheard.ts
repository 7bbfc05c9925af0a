/**
 * Sessions that nobody holds: a tab was killed after the server made one and before it heard of it. The server can not
 * tell such a session from one that is kept for later. But a browser keeps one session, and its key does not leave it:
 * when a session is renewed for the first time, whatever its key began before for the same user, and never renewed,
 * was never heard of or was given up for this one. It ends there.
 */
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { auditSession } from './audit.ts'
import type { Grant } from './grant.ts'
import { hasNeverRenewed, revokeNeverRenewed, type Session } from './store.ts'
import { firstCounter } from './tokens/rotation.ts'

const ofBrowser = (session: Session, keyThumbprint: string) => ({
  userId: session.user_id,
  keyThumbprint,
  otherThan: session.id,
  upTo: session.created_at,
})

/** Looked for at the first renewal of a login, and at no other. */
export async function leavesUnheard(
  reader: Reader,
  session: Session,
  grant: Grant,
  keyThumbprint: string,
): Promise<boolean> {
  if (session.kind !== 'login' || grant.counter !== firstCounter + 1) return false
  return hasNeverRenewed(reader, ofBrowser(session, keyThumbprint))
}

export async function endUnheard(
  context: ServerContext,
  session: Session,
  keyThumbprint: string,
): Promise<void> {
  await context.transaction(async (trx) => {
    const ended = await revokeNeverRenewed(trx, ofBrowser(session, keyThumbprint), nowSeconds(context.clock))
    for (const id of ended) {
      await auditSession(trx, context, { ...session, id }, 'session.superseded', { by: session.id })
    }
  })
}
