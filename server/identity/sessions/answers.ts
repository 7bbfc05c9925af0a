/** The response of every refresh, and the first part of every login response: the user and the session's tokens. */
import type { UserRecord } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call } from '../../kernel/http/endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { readTokenMetadata, requireUser } from '../users/users.ts'
import type { CookieCall } from './cookies.ts'
import { type DeliveredTokens, deliverTokens } from './delivery.ts'
import { createGrantTokens, type Grant, type GrantedSession } from './grant.ts'
import type { Session } from './store.ts'

export type SessionAnswer = DeliveredTokens & { user: UserRecord }

export async function renderSession(
  call: CookieCall,
  reader: Reader,
  { session, tokens }: GrantedSession,
): Promise<SessionAnswer> {
  const user = await requireUser(reader, session.app_id, session.user_id)
  const metadata = await readTokenMetadata(reader, call.app.login.tokenMetadataKeys, session.user_id)
  return { user, ...deliverTokens(call, tokens, tokens.mintHostToken(metadata)) }
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
  return context.db.connection().execute(async (reader) => {
    const grantedSession = await createGrantTokens(reader, context, grant, call.proof().key)
    return { session: grantedSession.session, answer: await renderSession(call, reader, grantedSession) }
  })
}
