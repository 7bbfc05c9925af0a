/** The window that goes to a provider and comes back, with the cookies of one browser. */
import type { Server } from '../../../start/app.ts'
import {
  browserWindow,
  navigation,
  type Opened,
  type Startable,
} from '../../window/testing/browser-window.ts'
import { type Choice, consentAt, type WayBack } from './at-sandbox.ts'

export type { Opened } from '../../window/testing/browser-window.ts'

export function testWindow(server: Server) {
  const window = browserWindow(server)
  const { open } = window

  const comeBack = ({ method, url, fields }: WayBack) => {
    const { pathname } = new URL(url)
    const query = new URLSearchParams(fields)
    if (method === 'GET') return open(`${pathname}?${query}`)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
    }
    return open(pathname, { method, headers, body: query.toString() })
  }
  const throughProvider = async ({ location }: Opened, choice: Choice) =>
    comeBack(await consentAt(location ?? '', choice))

  const start = (login: Startable) => window.start('oauth', login)
  /** The whole page, as the dialog's own code takes it away. */
  const leave = (handle: string) => open(`/oauth/redirect/${handle}`, { headers: navigation })

  return {
    ...window,
    start,
    leave,
    comeBack,
    /** From the start page over the provider, and back. */
    go: async (login: Startable, choice: Choice): Promise<Opened> =>
      throughProvider(await start(login), choice),
    /** The same of the whole page. */
    leaveAndReturn: async (handle: string, choice: Choice): Promise<Opened> =>
      throughProvider(await leave(handle), choice),
  }
}
