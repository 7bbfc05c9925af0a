/** What a session was granted, and the tokens that it stands for. */
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { invalidToken } from './refusals.ts'
import { findLivingSession, type SessionInFamily } from './store.ts'
import { makeRefreshToken } from './tokens/refresh-token.ts'
import { mintToken } from './tokens/token.ts'
import { tokenKeyOf } from './tokens/token-key.ts'

/** The number of a refresh token: enough to make it again, and no secret. */
export type Grant = { sessionId: string; counter: number }

export type SessionTokens = {
  token: string
  hostToken: string
  refreshToken: string
  refreshCounter: number
}
export type GrantedSession = { session: SessionInFamily; tokens: SessionTokens }

/**
 * The refresh token is the same each time, access tokens are new. A grant may be asked for again when a call is
 * repeated, so this looks again: a session that has ended meanwhile gets nothing, and nor does another browser.
 */
export async function tokensOfGrant(
  reader: Reader,
  context: ServerContext,
  grant: Grant,
  provenKey: string,
): Promise<GrantedSession> {
  const session = await livingSession(reader, context, grant.sessionId)
  if (session.key_thumbprint !== provenKey) throw invalidToken()
  return { session, tokens: tokensOf(context, session, grant.counter, provenKey) }
}

/** Access tokens for whoever proved the key of the session. */
export function tokensOf(
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
    hostToken: mintToken(key, issuer, subject, { scope: 'host' }, now),
    refreshToken: makeRefreshToken(session.id, counter, tokenKeyOf(context, session)),
    refreshCounter: counter,
  }
}

export async function refreshTokenOf(reader: Reader, context: ServerContext, grant: Grant): Promise<string> {
  const session = await livingSession(reader, context, grant.sessionId)
  return makeRefreshToken(session.id, grant.counter, tokenKeyOf(context, session))
}

/**
 * The session is read in the transaction that decides, so that one that has just ended decides nothing that would
 * outlast it.
 */
export async function livingSession(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  sessionId: string,
): Promise<SessionInFamily> {
  const session = await findLivingSession(reader, sessionId, clock)
  if (session === undefined) throw invalidToken()
  return session
}
