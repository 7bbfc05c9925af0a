/** Grants, and the tokens created from them. */
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { invalidToken } from './refusals.ts'
import { findLivingSession, type SessionInFamily } from './store.ts'
import { makeRefreshToken } from './tokens/refresh-token.ts'
import { type HostTokenAdditions, mintToken } from './tokens/token.ts'
import { getTokenKey } from './tokens/token-key.ts'

/** The counter of a refresh token. It suffices to create the token again, and is not secret. */
export type Grant = { sessionId: string; counter: number }

export type SessionTokens = {
  token: string
  mintHostToken: (additions: HostTokenAdditions) => string
  refreshToken: string
  refreshCounter: number
}
export type GrantedSession = { session: SessionInFamily; tokens: SessionTokens }

/**
 * Creates the tokens of a grant: the same refresh token each time, and new access tokens. A repeated call may reuse a
 * grant, so this checks again that the session is alive and belongs to the browser's key.
 */
export async function createGrantTokens(
  reader: Reader,
  context: ServerContext,
  grant: Grant,
  provenKey: string,
): Promise<GrantedSession> {
  const session = await requireLivingSession(reader, context, grant.sessionId)
  if (session.key_thumbprint !== provenKey) throw invalidToken()
  return { session, tokens: createTokens(context, session, grant.counter, provenKey) }
}

/** Creates tokens bound to the session's proven key. */
export function createTokens(
  context: ServerContext,
  session: SessionInFamily,
  counter: number,
  keyThumbprint: string,
): SessionTokens {
  const key = context.keyring.signingKey()
  const now = nowSeconds(context.clock)
  const { issuer } = context.config
  const subject = { appId: session.app_id, userId: session.user_id, sessionId: session.id }
  return {
    token: mintToken(key, issuer, subject, { scope: 'dialog', keyThumbprint }, now),
    mintHostToken: (additions) => mintToken(key, issuer, subject, { scope: 'host', ...additions }, now),
    refreshToken: makeRefreshToken(session.id, counter, getTokenKey(context, session)),
    refreshCounter: counter,
  }
}

export async function recreateRefreshToken(
  reader: Reader,
  context: ServerContext,
  grant: Grant,
): Promise<string> {
  const session = await requireLivingSession(reader, context, grant.sessionId)
  return makeRefreshToken(session.id, grant.counter, getTokenKey(context, session))
}

/**
 * Reads a session, and throws if it has ended. Callers read it in their own transaction, so that a session that just
 * ended can not cause lasting changes.
 */
export async function requireLivingSession(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  sessionId: string,
): Promise<SessionInFamily> {
  const session = await findLivingSession(reader, sessionId, clock)
  if (session === undefined) throw invalidToken()
  return session
}
