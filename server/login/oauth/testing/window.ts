/** A login window that visits a provider and returns, with the cookies of one browser. */
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
  /** Navigates the whole page, like the dialog. */
  const leave = (handle: string) => open(`/oauth/redirect/${handle}`, { headers: navigation })

  return {
    ...window,
    start,
    leave,
    comeBack,
    /** Opens the start page, visits the provider and returns. */
    go: async (login: Startable, choice: Choice): Promise<Opened> =>
      throughProvider(await start(login), choice),
    /** Like `go`, for a full-page redirect. */
    leaveAndReturn: async (handle: string, choice: Choice): Promise<Opened> =>
      throughProvider(await leave(handle), choice),
  }
}
