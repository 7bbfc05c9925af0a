/** How tokens reach the browser: in the body, or in cookie mode the refresh token in a cookie. */
import type { SessionUpdateAction } from '@latchkey/protocol'
import { type AnsweredCall, dropRefreshCookie, keepRefreshCookie, usesCookies } from './cookies.ts'
import type { SessionTokens } from './grant.ts'

export type Delivered = {
  token: string
  hostToken: string
  refreshToken: string | null
  sessionUpdateAction: SessionUpdateAction
}

/** The word `ignore` has the browser keep the access token and leave its refresh token, which it has not got, alone. */
export function deliverTokens(call: AnsweredCall, tokens: SessionTokens): Delivered {
  const { token, hostToken, refreshToken } = tokens
  if (!usesCookies(call.app)) return { token, hostToken, refreshToken, sessionUpdateAction: 'set' }
  keepRefreshCookie(call, tokens)
  return { token, hostToken, refreshToken: null, sessionUpdateAction: 'ignore' }
}

/** Nobody was logged in, so nothing is wrong: the browser forgets what it has. */
export function loggedOut(call: AnsweredCall) {
  dropRefreshCookie(call)
  return {
    user: null,
    token: null,
    refreshToken: null,
    hostToken: null,
    sessionUpdateAction: 'clear',
  } as const
}
