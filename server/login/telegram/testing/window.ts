/** The window that goes to Telegram and comes back, with the cookies of one browser. */
import type { Server } from '../../../start/app.ts'
import { browserWindow, type Startable } from '../../window/testing/browser-window.ts'

export function testWindow(server: Server) {
  const window = browserWindow(server)
  return {
    ...window,
    start: (login: Startable) => window.start('telegram', login),
    /** As the script of the return page posts what was behind the `#`. */
    bring: (handle: string, result: unknown, site = 'same-origin') =>
      window.post(
        `/telegram/return/${handle}`,
        { result: JSON.stringify(result) },
        { 'sec-fetch-site': site },
      ),
  }
}
