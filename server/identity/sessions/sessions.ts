/**
 * The rules of sessions: how one starts, how it is carried on, how it ends.
 *
 * A session is a row with a counter, and its refresh tokens are numbered (rotation.ts). It belongs to one key of
 * one browser, which every call proves (kernel/http/proof/proof.ts). A session that another one made is of its family
 * (forks.ts): it ends with it, and a token of any of them that turns up when it was long spent ends them all.
 */
import type { ServerContext, VerifiedToken } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import { auditSession } from './audit.ts'
import { type Grant, type GrantedSession, tokensOf } from './grant.ts'
import { type LoginAccount, newSession } from './new-session.ts'
import { endReusedFamily, isAuthentic, type Presented, useRefreshToken } from './presented-token.ts'
import { invalidToken } from './refusals.ts'
import {
  findSession,
  insertSession,
  livingSessionsOf,
  type Revocation,
  revoke,
  type Session,
} from './store.ts'
import { parseRefreshToken } from './tokens/refresh-token.ts'
import { endUnheard, leavesUnheard } from './unheard.ts'

export { grantedSession } from './answers.ts'
export { deviceNotBound, deviceSecretOf } from './device.ts'
export { type Grant, livingSession } from './grant.ts'
export type { LoginAccount } from './new-session.ts'
export { livingSessionsOf } from './store.ts'
export { mintToken, type TokenSubject } from './tokens/token.ts'

export async function startSession(
  trx: Trx,
  context: ServerContext,
  owner: { appId: string; userId: string },
  browser: ProvenBrowser,
  account?: LoginAccount,
): Promise<Grant> {
  const session = newSession(context, owner, { kind: 'login', ...browser, account })
  await insertSession(trx, session)
  return { sessionId: session.id, counter: session.counter }
}

/**
 * Tokens with the successor of the one presented, and what is answered with them. One statement reads and one decides;
 * what the answer reads goes over the same connection, for to ask for one costs as much as a small statement.
 */
export async function refreshSession<Answer>(
  context: ServerContext,
  presented: Presented,
  answer: (reader: Reader, granted: GrantedSession) => Promise<Answer>,
): Promise<Answer> {
  const used = await context.db.connection().execute(async (reader) => {
    const use = await useRefreshToken(reader, context, presented)
    if (use.type !== 'granted') return use
    const { session, grant } = use
    const tokens = tokensOf(context, session, grant.counter, presented.provenKey)
    const unheard = await leavesUnheard(reader, session, grant, presented.provenKey)
    return { type: 'answered', session, unheard, answer: await answer(reader, { session, tokens }) } as const
  })
  if (used.type === 'answered') {
    if (used.unheard) await endUnheard(context, used.session, presented.provenKey)
    return used.answer
  }
  if (used.type === 'reused') await context.transaction((trx) => endReusedFamily(trx, context, used.session))
  throw invalidToken()
}

/** Ends the session of a refresh token, however old that is. Nothing happens for a token that is not ours. */
export async function logout(context: ServerContext, appId: string, refreshToken: string): Promise<void> {
  const token = parseRefreshToken(refreshToken)
  const session = token && (await findSession(context.db, token.sessionId))
  if (!session || session.app_id !== appId || !isAuthentic(context, session, token)) return
  await endSession(context, session)
}

export async function logoutCaller(context: ServerContext, { sessionId }: VerifiedToken): Promise<void> {
  const session = await findSession(context.db, sessionId)
  if (session) await endSession(context, session)
}

/** A session ends with its forks; a fork ends alone. */
const sessionWithForks = ({ id, family_id }: Pick<Session, 'id' | 'family_id'>): Revocation =>
  family_id === id ? { what: 'family', familyId: id } : { what: 'session', sessionId: id }

async function endSession(context: ServerContext, session: Session): Promise<void> {
  if (session.revoked_at !== null) return
  await context.transaction(async (trx) => {
    await revoke(trx, sessionWithForks(session), nowSeconds(context.clock))
    await auditSession(trx, context, session, 'session.logged_out')
  })
}

/** Ends all sessions of a user, and tells how many were alive until now. The caller has checked who asks. */
export const endSessionsOf = (
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  nowSeconds: number,
): Promise<number> => revoke(trx, { what: 'user', appId, userId }, nowSeconds)

/** Ends all sessions of a user, or one with its forks. Returns how many were alive. */
export async function endSessionsByOperator(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: { appId: string; userId: string },
  sessionId?: string,
): Promise<number> {
  const now = nowSeconds(context.clock)
  const sessions = await livingSessionsOf(trx, owner, now)
  const session = sessions.find(({ id }) => id === sessionId)
  if (sessionId !== undefined && session === undefined) return 0
  const ended =
    session === undefined
      ? await endSessionsOf(trx, owner, now)
      : await revoke(trx, sessionWithForks(session), now)
  await recordAudit(trx, context.clock, {
    event: 'session.revoked_by_operator',
    ...owner,
    sessionId: sessionId ?? null,
    details: { sessions: ended },
  })
  return ended
}

export async function revokeAllSessions(context: ServerContext, caller: VerifiedToken): Promise<void> {
  const { appId, userId, sessionId } = caller
  const session = { id: sessionId, app_id: appId, user_id: userId }
  await context.transaction(async (trx) => {
    const ended = await revoke(trx, { what: 'user', appId, userId }, nowSeconds(context.clock))
    await auditSession(trx, context, session, 'session.all_revoked', { sessions: ended })
  })
}
