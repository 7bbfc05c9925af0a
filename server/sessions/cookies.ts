/**
 * Cookie mode: the refresh token is in a cookie that no script reads, beside one that scripts may read and that
 * says only that the first is there.
 */
import { product, sessionLimits } from '@latchkey/protocol'
import { getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { App } from '../apps/apps.ts'
import type { Call } from '../http/endpoint.ts'

export const usesCookies = ({ sessionMode, config }: App) =>
  sessionMode === 'cookie' || config.customApiUrl !== null

/** Partitioned: the dialog is embedded by other sites, and each of them has a session of its own. */
const attributes = {
  path: '/',
  secure: true,
  sameSite: 'None',
  partitioned: true,
} as const satisfies CookieOptions

type Jar = Pick<Call, 'app' | 'http'>

export const refreshCookie = ({ app, http }: Jar): string | undefined =>
  getCookie(http, product.refreshCookie(app.id)) || undefined

export function keepRefreshCookie({ app, http }: Jar, refreshToken: string): void {
  const maxAge = sessionLimits.refreshTokenSeconds
  const markerAge = sessionLimits.refreshCookieMarkerSeconds
  setCookie(http, product.refreshCookie(app.id), refreshToken, { ...attributes, httpOnly: true, maxAge })
  setCookie(http, product.sessionMarkerCookie(app.id), '1', { ...attributes, maxAge: markerAge })
}

export function dropRefreshCookie({ app, http }: Jar): void {
  setCookie(http, product.refreshCookie(app.id), '', { ...attributes, httpOnly: true, maxAge: 0 })
  setCookie(http, product.sessionMarkerCookie(app.id), '', { ...attributes, maxAge: 0 })
}
