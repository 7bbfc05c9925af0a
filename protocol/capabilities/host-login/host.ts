/** The login of the host page. The dialog requests its tokens (`getPageTokenMethod`). */
import * as v from 'valibot'

export const hostLoginEvents = {
  /** The dialog could not follow the page's login. The session is as it was. */
  hostLoginFailed: v.object({
    code: v.string(),
    message: v.string(),
    details: v.exactOptional(v.unknown()),
  }),
} as const
