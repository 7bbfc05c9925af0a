/**
 * Starts, refreshes and ends sessions.
 *
 * A session is a row with a counter, which numbers its refresh tokens (rotation.ts). It is bound to one browser key,
 * which every call proves (kernel/http/proof/proof.ts). Sessions created by another session belong to its family
 * (forks.ts) and end with it. Reuse of an old token of any of them ends the whole family.
 */
import type { ServerContext, VerifiedToken } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import { auditSession } from './audit.ts'
import { createTokens, type Grant, type GrantedSession } from './grant.ts'
import { type LoginAccount, newSession } from './new-session.ts'
import { endOrphanedSessions, hasOrphanedSessions } from './orphaned-sessions.ts'
import { storeBrowser } from './own-sessions.ts'
import { endReusedFamily, isAuthentic, type Presented, useRefreshToken } from './presented-token.ts'
import { invalidToken } from './refusals.ts'
import {
  findLivingSessions,
  findSession,
  findSessionsOfProvider,
  insertSession,
  type ProviderSessions,
  type Revocation,
  revoke,
  type Session,
} from './store.ts'
import { parseRefreshToken } from './tokens/refresh-token.ts'

export { renderGrantWithSession } from './answers.ts'
export { claimsHook, type HookClaims, type SessionClaims } from './claims-hook.ts'
export { deriveDeviceSecret, deviceNotBound } from './device.ts'
export { type Grant, requireLivingSession } from './grant.ts'
export type { LoginAccount } from './new-session.ts'
export { hasUsedBrowser } from './own-sessions.ts'
export { invalidToken } from './refusals.ts'
export { findLivingSessions } from './store.ts'
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
  if (browser.names) await storeBrowser(trx, session, browser.names)
  return { sessionId: session.id, counter: session.counter }
}

/**
 * Rotates the refresh token and returns the response. One statement reads and one decides. The response uses the same
 * database connection, because acquiring another costs as much as a small statement.
 */
export async function refreshSession<Answer>(
  context: ServerContext,
  presented: Presented,
  answer: (reader: Reader, granted: GrantedSession) => Promise<Answer>,
): Promise<Answer> {
  const refreshed = await context.db.connection().execute(async (reader) => {
    const use = await useRefreshToken(reader, context, presented)
    if (use.type !== 'granted') return use
    const { session, grant } = use
    const tokens = createTokens(context, session, grant.counter, presented.provenKey)
    const hasOrphans = await hasOrphanedSessions(reader, session, grant, presented.provenKey)
    return {
      type: 'answered',
      session,
      hasOrphans,
      answer: await answer(reader, { session, tokens }),
    } as const
  })
  if (refreshed.type === 'answered') {
    if (refreshed.hasOrphans) await endOrphanedSessions(context, refreshed.session, presented.provenKey)
    return refreshed.answer
  }
  if (refreshed.type === 'reused')
    await context.transaction((trx) => endReusedFamily(trx, context, refreshed.session))
  throw invalidToken()
}

/** Ends the session of a refresh token of any age. Ignores unknown tokens. */
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

/** Returns the revocation of a session with its forks. A fork is revoked alone. */
const sessionWithForks = ({ id, family_id }: Pick<Session, 'id' | 'family_id'>): Revocation =>
  family_id === id ? { type: 'family', familyId: id } : { type: 'session', sessionId: id }

async function endSession(context: ServerContext, session: Session): Promise<void> {
  if (session.revoked_at !== null) return
  await context.transaction(async (trx) => {
    await revoke(trx, sessionWithForks(session), nowSeconds(context.clock))
    await auditSession(trx, context, session, 'session.logged_out')
  })
}

/** Ends all sessions of a user. Returns how many were alive. The caller must be authorized already. */
export const endUserSessions = (
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  nowSeconds: number,
): Promise<number> => revoke(trx, { type: 'user', appId, userId }, nowSeconds)

/** Ends all sessions of a user, or one with its forks. Returns how many were alive. */
export async function endSessionsByOperator(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: { appId: string; userId: string },
  sessionId?: string,
): Promise<number> {
  const now = nowSeconds(context.clock)
  const sessions = await findLivingSessions(trx, owner, now)
  const session = sessions.find(({ id }) => id === sessionId)
  if (sessionId !== undefined && session === undefined) return 0
  const ended =
    session === undefined
      ? await endUserSessions(trx, owner, now)
      : await revoke(trx, sessionWithForks(session), now)
  await recordAudit(trx, context.clock, {
    event: 'session.revoked_by_operator',
    ...owner,
    sessionId: sessionId ?? null,
    details: { sessions: ended },
  })
  return ended
}

/**
 * Ends the sessions that an OpenID provider ended: the one of a provider session, or all that were started with an
 * account. Returns how many ended.
 */
export async function endSessionsByProvider(
  trx: Trx,
  context: ServerContext,
  ended: ProviderSessions,
): Promise<number> {
  const sessions = await findSessionsOfProvider(trx, ended)
  for (const session of sessions) {
    await revoke(trx, { type: 'family', familyId: session.family_id }, nowSeconds(context.clock))
    await auditSession(trx, context, session, 'session.logged_out')
  }
  return sessions.length
}

export async function revokeAllSessions(context: ServerContext, caller: VerifiedToken): Promise<void> {
  const { appId, userId, sessionId } = caller
  const session = { id: sessionId, app_id: appId, user_id: userId }
  await context.transaction(async (trx) => {
    const ended = await revoke(trx, { type: 'user', appId, userId }, nowSeconds(context.clock))
    await auditSession(trx, context, session, 'session.all_revoked', { sessions: ended })
  })
}
