/**
 * The script-readable marker cookie in cookie mode, next to the HttpOnly refresh cookie. It shows that the refresh
 * cookie exists, and its counter identifies it in proofs.
 */
import { product } from '@latchkey/protocol'

export type SessionMarker = {
  isPresent: () => boolean
  counter: () => number | undefined
  remove: () => void
}

export const noMarker: SessionMarker = { isPresent: () => false, counter: () => undefined, remove: () => {} }

const counterPattern = /^\d{1,15}$/

export function createCookieMarker(appId: string, document: { cookie: string }): SessionMarker {
  const name = product.sessionMarkerCookie(appId)
  const value = () =>
    document.cookie
      .split('; ')
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  return {
    isPresent: () => value() !== undefined,
    counter() {
      const counter = value() ?? ''
      return counterPattern.test(counter) ? Number(counter) : undefined
    },
    remove() {
      document.cookie = `${name}=; Max-Age=0; Path=/; Secure; SameSite=None; Partitioned`
    },
  }
}
