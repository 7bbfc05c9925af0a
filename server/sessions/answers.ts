/** How tokens reach the browser: in the body, or in cookie mode the refresh token in a cookie. */
import type { SessionUpdateAction } from '@latchkey/protocol'
import type { AuthAnswer, RefreshAnswer } from '@latchkey/protocol/api'
import type { ServerContext } from '../context.ts'
import type { Call } from '../http/endpoint.ts'
import { requireUser } from '../users/users.ts'
import { dropRefreshCookie, keepRefreshCookie, usesCookies } from './cookies.ts'
import { type Grant, type GrantedSession, type SessionTokens, tokensOfGrant } from './grant.ts'
import { provenKeyOf } from './proven-call.ts'

type AnsweredCall = Pick<Call, 'app' | 'http'>

/** Nobody was logged in, so nothing is wrong: the browser forgets what it has. */
export function loggedOutAnswer(call: AnsweredCall): RefreshAnswer {
  if (usesCookies(call.app)) dropRefreshCookie(call)
  return { user: null, token: null, refreshToken: null, hostToken: null, sessionUpdateAction: 'clear' }
}

export async function authAnswer(
  call: AnsweredCall,
  context: ServerContext,
  grant: Grant,
  isNewUser: boolean,
): Promise<AuthAnswer> {
  const granted = await tokensOfGrant(context.db, context, grant, provenKeyOf(call, context))
  return { ...(await answerWith(call, context, granted)), isNewUser }
}

export async function grantAnswer(
  call: AnsweredCall,
  context: ServerContext,
  grant: Grant,
): Promise<RefreshAnswer> {
  const granted = await tokensOfGrant(context.db, context, grant, provenKeyOf(call, context))
  return answerWith(call, context, granted)
}

export async function answerWith(
  call: AnsweredCall,
  context: ServerContext,
  { session, tokens }: GrantedSession,
) {
  return {
    user: await requireUser(context.db, session.app_id, session.user_id),
    ...delivered(call, tokens),
  }
}

type Delivered = {
  readonly token: string
  readonly hostToken: string
  readonly refreshToken: string | null
  readonly sessionUpdateAction: SessionUpdateAction
}

/** With `ignore` the browser keeps the access token and leaves its refresh token, which it has not got, alone. */
function delivered(call: AnsweredCall, { token, hostToken, refreshToken }: SessionTokens): Delivered {
  if (!usesCookies(call.app)) return { token, hostToken, refreshToken, sessionUpdateAction: 'set' }
  keepRefreshCookie(call, refreshToken)
  return { token, hostToken, refreshToken: null, sessionUpdateAction: 'ignore' }
}
