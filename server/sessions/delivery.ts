/** How tokens reach the browser: in the body, or in cookie mode the refresh token in a cookie. */
import type { SessionUpdateAction } from '@latchkey/protocol'
import type { Call } from '../http/endpoint.ts'
import { dropRefreshCookie, keepRefreshCookie, usesCookies } from './cookies.ts'
import type { SessionTokens } from './grant.ts'

type AnsweredCall = Pick<Call, 'app' | 'http'>

export type Delivered = {
  readonly token: string
  readonly hostToken: string
  readonly refreshToken: string | null
  readonly sessionUpdateAction: SessionUpdateAction
}

/** With `ignore` the browser keeps the access token and leaves its refresh token, which it has not got, alone. */
export function deliverTokens(
  call: AnsweredCall,
  { token, hostToken, refreshToken }: SessionTokens,
): Delivered {
  if (!usesCookies(call.app)) return { token, hostToken, refreshToken, sessionUpdateAction: 'set' }
  keepRefreshCookie(call, refreshToken)
  return { token, hostToken, refreshToken: null, sessionUpdateAction: 'ignore' }
}

/** Nobody was logged in, so nothing is wrong: the browser forgets what it has. */
export function loggedOut(call: AnsweredCall) {
  if (usesCookies(call.app)) dropRefreshCookie(call)
  return {
    user: null,
    token: null,
    refreshToken: null,
    hostToken: null,
    sessionUpdateAction: 'clear',
  } as const
}
