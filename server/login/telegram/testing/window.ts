/** The window that goes to Telegram and comes back, with the cookies of one browser. */
import type { Server } from '../../../app.ts'

const origin = 'http://dialog.localhost:4000'
const host = 'dialog.localhost:4000'

export function testWindow(server: Server) {
  const cookies = new Map<string, string>()

  async function open(path: string, init: RequestInit = {}) {
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
    return { status: response.status, html: await response.text(), headers: response.headers }
  }

  return {
    cookies,
    open,
    start: (handle: string, site = 'same-origin') =>
      open(`/telegram/start/${handle}`, { headers: { 'sec-fetch-site': site } }),
    /** As the script of the return page posts what was behind the `#`. */
    bring: (handle: string, result: unknown, site = 'same-origin') =>
      open(`/telegram/return/${handle}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin, 'sec-fetch-site': site },
        body: new URLSearchParams({ result: JSON.stringify(result) }).toString(),
      }),
  }
}
