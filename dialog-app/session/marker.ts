/** In cookie mode: the cookie that script may read, which says that there is a refresh cookie beside it. */
import { product } from '@latchkey/protocol'

export type SessionMarker = { readonly isPresent: () => boolean; readonly remove: () => void }

export const noMarker: SessionMarker = { isPresent: () => false, remove: () => {} }

export function cookieMarker(appId: string, document: { cookie: string }): SessionMarker {
  const name = product.sessionMarkerCookie(appId)
  return {
    isPresent: () => document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`)),
    remove() {
      document.cookie = `${name}=; Max-Age=0; Path=/; Secure; SameSite=None; Partitioned`
    },
  }
}
