/**
 * Ends orphaned sessions. A tab may be killed after the server created a session and before the browser received its
 * tokens. The server can not distinguish such a session from an unused one. But a browser keeps one session, and its
 * key never leaves it. So on the first refresh of a session, older logins of the same user and key that were never
 * refreshed are orphaned or replaced, and end.
 */
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { auditSession } from './audit.ts'
import type { Grant } from './grant.ts'
import { hasOrphans, revokeOrphans, type Session } from './store.ts'
import { firstCounter } from './tokens/rotation.ts'

const toOrphanFilter = (session: Session, keyThumbprint: string) => ({
  userId: session.user_id,
  keyThumbprint,
  otherThan: session.id,
  upTo: session.created_at,
})

/** Returns whether there are orphaned sessions. Checks only on the first refresh of a login. */
export async function hasOrphanedSessions(
  reader: Reader,
  session: Session,
  grant: Grant,
  keyThumbprint: string,
): Promise<boolean> {
  if (session.kind !== 'login' || grant.counter !== firstCounter + 1) return false
  return hasOrphans(reader, toOrphanFilter(session, keyThumbprint))
}

export async function endOrphanedSessions(
  context: ServerContext,
  session: Session,
  keyThumbprint: string,
): Promise<void> {
  await context.transaction(async (trx) => {
    const ended = await revokeOrphans(trx, toOrphanFilter(session, keyThumbprint), nowSeconds(context.clock))
    for (const id of ended) {
      await auditSession(trx, context, { ...session, id }, 'session.superseded', { by: session.id })
    }
  })
}
