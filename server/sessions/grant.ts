/** What a session was granted, and the tokens that it stands for. */
import type { ServerContext } from '../context.ts'
import { nowSeconds, type Reader } from '../ports.ts'
import { provesKey, tokenKeyOf } from './presented-token.ts'
import { makeRefreshToken } from './refresh-token.ts'
import { invalidToken } from './refusals.ts'
import { findSession, isAlive, type SessionInFamily } from './store.ts'
import { mintToken } from './token.ts'

/** The number of a refresh token: enough to make it again, and no secret. */
export type Grant = { readonly sessionId: string; readonly counter: number }

export type SessionTokens = {
  readonly token: string
  readonly hostToken: string
  readonly refreshToken: string
}
export type GrantedSession = { readonly session: SessionInFamily; readonly tokens: SessionTokens }

/**
 * The refresh token is the same each time, access tokens are new. A grant may be asked for again when a call is
 * repeated, so this looks again: a session that has ended meanwhile gets nothing, and nor does another browser.
 */
export async function tokensOfGrant(
  reader: Reader,
  context: ServerContext,
  grant: Grant,
  provenKey: string | undefined,
): Promise<GrantedSession> {
  const session = await livingSession(reader, context, grant)
  if (!provesKey(session, provenKey)) throw invalidToken()
  return { session, tokens: tokensOf(context, session, grant.counter) }
}

export function tokensOf(context: ServerContext, session: SessionInFamily, counter: number): SessionTokens {
  const key = context.keyring.signingKey()
  const now = nowSeconds(context.clock)
  const { issuer } = context.config
  const subject = { appId: session.app_id, userId: session.user_id, sessionId: session.id }
  return {
    token: mintToken(key, issuer, subject, { scope: 'dialog' }, now),
    hostToken: mintToken(key, issuer, subject, { scope: 'host' }, now),
    refreshToken: makeRefreshToken(session.id, counter, tokenKeyOf(context, session)),
  }
}

export async function refreshTokenOf(reader: Reader, context: ServerContext, grant: Grant): Promise<string> {
  const session = await livingSession(reader, context, grant)
  return makeRefreshToken(session.id, grant.counter, tokenKeyOf(context, session))
}

async function livingSession(
  reader: Reader,
  context: ServerContext,
  { sessionId }: Grant,
): Promise<SessionInFamily> {
  const session = await findSession(reader, sessionId)
  if (session === undefined || !isAlive(session, context.clock)) throw invalidToken()
  return session
}
