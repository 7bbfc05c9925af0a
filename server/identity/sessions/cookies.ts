/**
 * Cookie mode: the refresh token is in a cookie that no script reads, beside one that scripts may read. That one
 * says that the first is there and which number it has, so that a proof can name it.
 */
import { product, serverLimits } from '@latchkey/protocol'
import { getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Call } from '../../kernel/http/endpoint.ts'
import type { App } from '../apps/apps.ts'

export const usesCookies = ({ sessionMode, config }: App) =>
  sessionMode === 'cookie' || config.customApiUrl !== null

/** Partitioned: the dialog is embedded by other sites, and each of them has a session of its own. */
const attributes = {
  path: '/',
  secure: true,
  sameSite: 'None',
  partitioned: true,
} as const satisfies CookieOptions

export type AnsweredCall = Pick<Call, 'app' | 'c'>

export const refreshCookie = ({ app, c }: AnsweredCall): string | undefined =>
  usesCookies(app) ? getCookie(c, product.refreshCookie(app.id)) || undefined : undefined

export function keepRefreshCookie(
  { app, c }: AnsweredCall,
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

export function dropRefreshCookie({ app, c }: AnsweredCall): void {
  if (!usesCookies(app)) return
  setCookie(c, product.refreshCookie(app.id), '', { ...attributes, httpOnly: true, maxAge: 0 })
  setCookie(c, product.sessionMarkerCookie(app.id), '', { ...attributes, maxAge: 0 })
}
