import { LatchkeyError } from '@latchkey/protocol'
import type { Context } from 'hono'

/**
 * Requires that a page of our own origin navigated here in a tab or window: no image, frame, script or other origin.
 * Browsers set these headers themselves and repeat them on a reload. They do not prove the user's intent, because one
 * of our pages may show a link that an attacker chose. Values in the URL therefore need their own proof.
 */
export function assertSameOriginNavigation(c: Context): void {
  const isOurs = c.req.header('sec-fetch-site') === 'same-origin'
  const isPage =
    c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === 'document'
  if (isOurs && isPage) return
  throw new LatchkeyError('invalid_origin', 'Only our own pages may open this page')
}
