/** The window that goes to a provider and comes back, with the cookies of one browser. */
import type { Server } from '../../../app.ts'
import { type Choice, consentAt, type WayBack } from './at-sandbox.ts'

const origin = 'http://dialog.localhost:4000'
const host = 'dialog.localhost:4000'

export type Opened = {
  readonly status: number
  readonly html: string
  readonly location: string | null
  readonly headers: Headers
}

export function testWindow(server: Server) {
  const cookies = new Map<string, string>()

  async function open(path: string, init: RequestInit = {}): Promise<Opened> {
    const response = await server.request(origin + path, {
      ...init,
      headers: {
        host,
        cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = response
    return { status, html: await response.text(), location: headers.get('location'), headers }
  }

  const start = (handle: string, site = 'same-origin') =>
    open(`/oauth/start/${handle}`, { headers: { 'sec-fetch-site': site } })

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

  return {
    cookies,
    open,
    start,
    comeBack,
    /** From the start page over the provider, and back. */
    async go(handle: string, choice: Choice): Promise<Opened> {
      const { location } = await start(handle)
      return comeBack(await consentAt(location ?? '', choice))
    },
  }
}
