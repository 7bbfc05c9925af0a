/** The user, with the tokens of their session: what every login answers, and every refresh. */
import type { AuthAnswer, RefreshAnswer } from '@latchkey/protocol/api'
import type { ServerContext } from '../context.ts'
import type { Call } from '../http/endpoint.ts'
import {
  deliverTokens,
  type Grant,
  type GrantedSession,
  provenKeyOf,
  tokensOfGrant,
} from '../sessions/sessions.ts'
import { requireUser } from './record.ts'

type AnsweredCall = Pick<Call, 'app' | 'http'>

export async function authAnswer(
  call: AnsweredCall,
  context: ServerContext,
  grant: Grant,
  isNewUser: boolean,
): Promise<AuthAnswer> {
  const granted = await tokensOfGrant(context.db, context, grant, provenKeyOf(call, context))
  return { ...(await sessionAnswer(call, context, granted)), isNewUser }
}

export async function grantAnswer(
  call: AnsweredCall,
  context: ServerContext,
  grant: Grant,
): Promise<RefreshAnswer> {
  const granted = await tokensOfGrant(context.db, context, grant, provenKeyOf(call, context))
  return sessionAnswer(call, context, granted)
}

export async function sessionAnswer(
  call: AnsweredCall,
  context: ServerContext,
  { session, tokens }: GrantedSession,
) {
  return {
    user: await requireUser(context.db, session.app_id, session.user_id),
    ...deliverTokens(call, tokens),
  }
}
