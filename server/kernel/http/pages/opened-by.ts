import { LatchkeyError } from '@latchkey/protocol'
import type { Context } from 'hono'

/**
 * A page of our own origin went on to this one, in a tab or window: no image, frame or script asked for it, and no
 * page of another origin. Browsers say all three of every navigation, and no page can say them for them; a reload says
 * what the first way said. It does not show whose idea it was: a page of ours may draw a link that somebody else
 * chose, so whatever an address names by itself has to be proved as well.
 */
export function assertOpenedByUs(c: Context): void {
  const isOurs = c.req.header('sec-fetch-site') === 'same-origin'
  const isPage =
    c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === 'document'
  if (isOurs && isPage) return
  throw new LatchkeyError('invalid_origin', 'This page is opened by our own pages only')
}
