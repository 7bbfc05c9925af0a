/** The response of every refresh, and the first part of every login response: the user and the session's tokens. */
import type { UserRecord } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call } from '../../kernel/http/endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { readTokenMetadata, requireUser } from '../users/users.ts'
import { claimsHook, type SessionClaims } from './claims-hook.ts'
import type { CookieCall } from './cookies.ts'
import { type DeliveredTokens, deliverTokens } from './delivery.ts'
import { createGrantTokens, type Grant, type GrantedSession } from './grant.ts'
import type { Session } from './store.ts'

export type SessionAnswer = DeliveredTokens & { user: UserRecord }

/** The content of a response, read on one connection. */
export type SessionContent = GrantedSession & {
  user: UserRecord
  metadata: Record<string, unknown> | undefined
  hookClaims: SessionClaims | undefined
}

export async function readSessionContent(
  { app }: CookieCall,
  context: ServerContext,
  reader: Reader,
  granted: GrantedSession,
): Promise<SessionContent> {
  const { session } = granted
  const user = await requireUser(reader, session.app_id, session.user_id)
  const metadata = await readTokenMetadata(reader, app.login.tokenMetadataKeys, session.user_id)
  const hookClaims = await claimsHook.get(context.ports)(reader, context, session)
  return { ...granted, user, metadata, hookClaims }
}

/** Issues the host token. Must run outside of a connection, because it may wait for the hook of the claims. */
export async function renderSession(
  call: CookieCall,
  { user, tokens, metadata, hookClaims }: SessionContent,
): Promise<SessionAnswer> {
  const claims = hookClaims?.type === 'missing' ? await hookClaims.ask() : hookClaims?.claims
  return { user, ...deliverTokens(call, tokens, tokens.mintHostToken({ metadata, claims })) }
}

export async function renderGrant(
  call: CookieCall & Pick<Call, 'proof'>,
  context: ServerContext,
  grant: Grant,
): Promise<SessionAnswer> {
  return (await renderGrantWithSession(call, context, grant)).answer
}

/** Returns the response together with its session. */
export async function renderGrantWithSession(
  call: CookieCall & Pick<Call, 'proof'>,
  context: ServerContext,
  grant: Grant,
): Promise<{ session: Session; answer: SessionAnswer }> {
  const content = await context.db.connection().execute(async (reader) => {
    const grantedSession = await createGrantTokens(reader, context, grant, call.proof().key)
    return readSessionContent(call, context, reader, grantedSession)
  })
  return { session: content.session, answer: await renderSession(call, content) }
}
