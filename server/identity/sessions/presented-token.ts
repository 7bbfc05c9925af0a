/** Verifies a presented refresh token: authenticity, session state and rotation. */
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { auditSession } from './audit.ts'
import type { Grant } from './grant.ts'
import { slidingExpiry } from './new-session.ts'
import { invalidToken } from './refusals.ts'
import { advanceCounter, findSession, isAlive, revoke, type Session, type SessionInFamily } from './store.ts'
import { type PresentedToken, parseRefreshToken, refreshTokenIsAuthentic } from './tokens/refresh-token.ts'
import { rotate } from './tokens/rotation.ts'
import { getTokenKey } from './tokens/token-key.ts'

export type Presented = {
  appId: string
  refreshToken: string
  provenKey: string
}

export type TokenUse =
  | { type: 'granted'; grant: Grant; session: SessionInFamily }
  | { type: 'reused'; session: Session }
  | { type: 'refused' }

/** A call that loses the race for a token reads the row again and then finds the token spent. */
const RACE_TURNS = 4

export async function useRefreshToken(
  reader: Reader,
  context: ServerContext,
  presented: Presented,
): Promise<TokenUse> {
  const token = parsePresentedToken(presented.refreshToken)
  for (let turn = 0; turn < RACE_TURNS; turn += 1) {
    const session = await authenticateSession(reader, context, presented.appId, token)
    if (session.key_thumbprint !== presented.provenKey) return { type: 'refused' }
    const rotation = rotate(session, token.counter, context.clock.nowMs())
    switch (rotation.type) {
      case 'unknown':
        return { type: 'refused' }
      case 'reuse':
        return { type: 'reused', session }
      case 'repeat':
        return { type: 'granted', session, grant: { sessionId: session.id, counter: rotation.successor } }
      case 'advance':
        if (await advanceCounter(reader, toAdvance(context, token))) {
          return { type: 'granted', session, grant: { sessionId: session.id, counter: rotation.successor } }
        }
        break
      default:
        return rotation satisfies never
    }
  }
  throw new LatchkeyError('unavailable', 'The session is being refreshed elsewhere. Please try again.')
}

export async function endReusedFamily(trx: Trx, context: ServerContext, session: Session): Promise<void> {
  await revoke(trx, { type: 'family', familyId: session.family_id }, nowSeconds(context.clock))
  await auditSession(trx, context, session, 'session.reuse_detected', { family: session.family_id })
}

export function parsePresentedToken(refreshToken: string): PresentedToken {
  const token = parseRefreshToken(refreshToken)
  if (token === undefined) throw invalidToken()
  return token
}

export async function authenticateSession(
  reader: Reader,
  context: ServerContext,
  appId: string,
  token: PresentedToken,
): Promise<SessionInFamily> {
  const session = await findSession(reader, token.sessionId)
  if (session === undefined || session.app_id !== appId) throw invalidToken()
  if (!isAuthentic(context, session, token) || !isAlive(session, context.clock)) throw invalidToken()
  return session
}

export const isAuthentic = (context: ServerContext, session: Session, token: PresentedToken) =>
  refreshTokenIsAuthentic(token, getTokenKey(context, session))

export const toAdvance = (context: ServerContext, token: PresentedToken) => {
  const now = nowSeconds(context.clock)
  return {
    id: token.sessionId,
    from: token.counter,
    nowMs: context.clock.nowMs(),
    nowSeconds: now,
    expiresAt: slidingExpiry(now),
  }
}
