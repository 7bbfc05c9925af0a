/**
 * Cookie mode: the refresh token is in an HttpOnly cookie. A second cookie that scripts can read marks its presence and
 * contains its counter, so that a proof can name it.
 */
import { product, serverLimits } from '@latchkey/protocol'
import { getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Call } from '../../kernel/http/endpoint.ts'
import type { App } from '../apps/apps.ts'

export const usesCookies = ({ sessionMode, config }: App) =>
  sessionMode === 'cookie' || config.customApiUrl !== null

/** Partitioned (CHIPS): the dialog is embedded by several sites, and each has its own session. */
const attributes = {
  path: '/',
  secure: true,
  sameSite: 'None',
  partitioned: true,
} as const satisfies CookieOptions

export type CookieCall = Pick<Call, 'app' | 'c'>

export const getRefreshCookie = ({ app, c }: CookieCall): string | undefined =>
  usesCookies(app) ? getCookie(c, product.refreshCookie(app.id)) || undefined : undefined

export function setRefreshCookie(
  { app, c }: CookieCall,
  { refreshToken, refreshCounter }: { refreshToken: string; refreshCounter: number },
): void {
  const maxAge = serverLimits.refreshTokenSeconds
  const markerAge = serverLimits.refreshCookieMarkerSeconds
  setCookie(c, product.refreshCookie(app.id), refreshToken, { ...attributes, httpOnly: true, maxAge })
  setCookie(c, product.sessionMarkerCookie(app.id), String(refreshCounter), {
    ...attributes,
    maxAge: markerAge,
  })
}

export function clearRefreshCookie({ app, c }: CookieCall): void {
  if (!usesCookies(app)) return
  setCookie(c, product.refreshCookie(app.id), '', { ...attributes, httpOnly: true, maxAge: 0 })
  setCookie(c, product.sessionMarkerCookie(app.id), '', { ...attributes, maxAge: 0 })
}
