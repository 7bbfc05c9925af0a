/** The user, with the tokens of their session: what every refresh answers, and what every login's answer begins with. */
import type { UserRecord } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call } from '../../kernel/http/endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { requireUser } from '../users/users.ts'
import type { AnsweredCall } from './cookies.ts'
import { type Delivered, deliverTokens } from './delivery.ts'
import { type Grant, type GrantedSession, tokensOfGrant } from './grant.ts'
import type { Session } from './store.ts'

export type SessionAnswer = Delivered & { user: UserRecord }

export async function sessionAnswer(
  call: AnsweredCall,
  reader: Reader,
  { session, tokens }: GrantedSession,
): Promise<SessionAnswer> {
  const user = await requireUser(reader, session.app_id, session.user_id)
  return { user, ...deliverTokens(call, tokens) }
}

export async function grantAnswer(
  call: AnsweredCall & Pick<Call, 'proof'>,
  context: ServerContext,
  grant: Grant,
): Promise<SessionAnswer> {
  return (await grantedSession(call, context, grant)).answer
}

/** Gives the answer together with its session. */
export async function grantedSession(
  call: AnsweredCall & Pick<Call, 'proof'>,
  context: ServerContext,
  grant: Grant,
): Promise<{ session: Session; answer: SessionAnswer }> {
  return context.db.connection().execute(async (reader) => {
    const granted = await tokensOfGrant(reader, context, grant, call.proof().key)
    return { session: granted.session, answer: await sessionAnswer(call, reader, granted) }
  })
}
