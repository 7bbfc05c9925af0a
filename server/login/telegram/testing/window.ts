/** The window that goes to Telegram and returns, with the cookies of one browser. */
import type { Server } from '../../../start/app.ts'
import { browserWindow, type Startable } from '../../window/testing/browser-window.ts'

export function testWindow(server: Server) {
  const window = browserWindow(server)
  return {
    ...window,
    start: (login: Startable) => window.start('telegram', login),
    /** Posts the URL fragment like the return page's script. */
    bring: (handle: string, result: unknown, site = 'same-origin') =>
      window.post(
        `/telegram/return/${handle}`,
        { result: JSON.stringify(result) },
        { 'sec-fetch-site': site },
      ),
  }
}
