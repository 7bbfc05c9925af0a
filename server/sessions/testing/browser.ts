/** The whole API over HTTP as a browser calls it: its own key, its own binding, its own cookies. */
import { randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import { apiPrefix, apiRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { createApp, type Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import type { ServerContext } from '../../context.ts'
import type { TestContext } from '../../testing/context.ts'
import { browserKey } from './browser-key.ts'

export const testServer = (context: ServerContext): Server => createApp(context, async () => true)

export const sessionAnswer = v.object({
  user: v.looseObject({ id: v.string() }),
  token: v.string(),
  refresh_token: v.nullable(v.string()),
  host_token: v.string(),
  session_update_action: v.string(),
})

export type CallOptions = {
  readonly body?: unknown
  readonly token?: string | undefined
  readonly requestId?: string
  /** Sends a proof by this browser's key; true unless said otherwise. */
  readonly proves?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export function testBrowser(server: Server, context: TestContext, app: App) {
  const key = browserKey()
  const binding = randomBytes(16).toString('base64url')
  const cookies = new Map<string, string>()
  const { dialogOrigin } = context.config

  async function call(name: keyof typeof apiRoutes, options: CallOptions = {}) {
    const { method, path } = apiRoutes[name]
    const { body = {}, token, requestId = randomBytes(12).toString('base64url'), proves = true } = options
    const url = dialogOrigin + apiPrefix + path.replace('{appId}', app.id)
    const proof = key.prove({ method, url, atSeconds: Math.floor(context.clock.nowMs() / 1_000) })
    const response = await server.request(url, {
      method,
      headers: {
        host: new URL(dialogOrigin).host,
        origin: dialogOrigin,
        'content-type': 'application/json',
        [product.headers.appId]: app.id,
        [product.headers.loginBinding]: binding,
        [product.headers.requestId]: requestId,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(proves && { dpop: proof }),
        ...(cookies.size > 0 && {
          cookie: Array.from(cookies, ([cookie, value]) => `${cookie}=${value}`).join('; '),
        }),
        ...options.headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const setCookies = response.headers.getSetCookie()
    for (const text of setCookies) {
      const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(cookie)
      else cookies.set(cookie, value)
    }
    const answer: unknown = await response.json()
    return { status: response.status, headers: response.headers, setCookies, answer }
  }

  return {
    call,
    cookies,
    key,
    async codeFor(email: string): Promise<string> {
      await call('sendEmailCode', { body: { email } })
      return context.mails.at(-1)?.subject.slice(0, 6) ?? ''
    },
    async login(email = 'ada@example.com', options: CallOptions = {}) {
      const code = await this.codeFor(email)
      const { answer } = await call('loginWithEmailCode', { ...options, body: { email, code } })
      return v.parse(sessionAnswer, answer)
    },
  }
}
export type TestBrowser = ReturnType<typeof testBrowser>
