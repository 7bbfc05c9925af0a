/** Delivers tokens to the browser in the body, or in cookie mode with the refresh token in a cookie. */
import type { SessionUpdateAction } from '@latchkey/protocol'
import { type CookieCall, clearRefreshCookie, setRefreshCookie, usesCookies } from './cookies.ts'
import type { SessionTokens } from './grant.ts'

export type DeliveredTokens = {
  token: string
  hostToken: string
  refreshToken: string | null
  sessionUpdateAction: SessionUpdateAction
}

/** In cookie mode, `ignore` makes the browser store the access token but leave the refresh token alone. */
export function deliverTokens(call: CookieCall, tokens: SessionTokens, hostToken: string): DeliveredTokens {
  const { token, refreshToken } = tokens
  if (!usesCookies(call.app)) return { token, hostToken, refreshToken, sessionUpdateAction: 'set' }
  setRefreshCookie(call, tokens)
  return { token, hostToken, refreshToken: null, sessionUpdateAction: 'ignore' }
}

/** Returns the response for a browser without a session. It is not an error; the browser clears its state. */
export function clearSession(call: CookieCall) {
  clearRefreshCookie(call)
  return {
    user: null,
    token: null,
    refreshToken: null,
    hostToken: null,
    sessionUpdateAction: 'clear',
  } as const
}
