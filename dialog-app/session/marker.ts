/**
 * The cookie that script may read in cookie mode, beside the refresh cookie that it may not. It says that there is
 * one, and by its counter which one: a proof names it by that.
 */
import { product } from '@latchkey/protocol'

export type SessionMarker = {
  isPresent: () => boolean
  counter: () => number | undefined
  remove: () => void
}

export const noMarker: SessionMarker = { isPresent: () => false, counter: () => undefined, remove: () => {} }

const counterPattern = /^\d{1,15}$/

export function cookieMarker(appId: string, document: { cookie: string }): SessionMarker {
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
