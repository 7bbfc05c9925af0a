/** The whole API over HTTP as a browser calls it: its own key, its own binding, its own cookies. */
import { randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import { apiPrefix, apiRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { createApp, type Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import type { ServerContext } from '../../context.ts'
import type { TestContext } from '../../testing/context.ts'
import { browserKey, type ProofParts } from './browser-key.ts'

export const testServer = (context: ServerContext): Server =>
  createApp(context, { isMigrated: async () => true })

export const sessionAnswer = v.object({
  user: v.looseObject({ id: v.string() }),
  token: v.string(),
  refresh_token: v.nullable(v.string()),
  host_token: v.string(),
  session_update_action: v.string(),
})
export const forkAnswer = v.object({
  token: v.string(),
  refresh_token: v.string(),
  new_session_refresh_token: v.nullable(v.string()),
})

export type CallOptions = {
  readonly body?: unknown
  readonly token?: string | undefined
  readonly requestId?: string
  /** What the proof says otherwise than the call; `none` sends none. */
  readonly proof?: Partial<ProofParts> | 'none'
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: `?${string}`
}

const withRefreshToken = v.object({ refresh_token: v.string() })

/** Without an address it is counted by none. */
export function testBrowser(
  server: Pick<Server, 'request'>,
  context: TestContext,
  app: App,
  remoteAddress?: string,
) {
  const key = browserKey()
  const binding = randomBytes(16).toString('base64url')
  const cookies = new Map<string, string>()
  const { dialogOrigin } = context.config

  /** As for this call, but for the parts that a test says. */
  function proofFor(name: keyof typeof apiRoutes, options: CallOptions, parts: Partial<ProofParts> = {}) {
    const { method } = apiRoutes[name]
    const { body = {}, token, requestId } = options
    const counter = cookies.get(product.sessionMarkerCookie(app.id))
    return key.prove({
      method,
      url: urlOf(name),
      atSeconds: Math.floor(context.clock.nowMs() / 1_000),
      ...(requestId !== undefined && { requestId }),
      body: method === 'GET' ? '' : JSON.stringify(body),
      token: v.is(withRefreshToken, body) ? body.refresh_token : token,
      refreshCounter: counter === undefined ? undefined : Number(counter),
      ...parts,
    })
  }

  const urlOf = (name: keyof typeof apiRoutes) =>
    dialogOrigin + apiPrefix + apiRoutes[name].path.replace('{appId}', app.id)

  async function call(name: keyof typeof apiRoutes, options: CallOptions = {}) {
    const { method } = apiRoutes[name]
    const { body = {}, token, requestId = randomBytes(12).toString('base64url'), proof, query = '' } = options
    const request = {
      method,
      headers: {
        host: new URL(dialogOrigin).host,
        origin: dialogOrigin,
        'content-type': 'application/json',
        [product.headers.appId]: app.id,
        [product.headers.loginBinding]: binding,
        [product.headers.requestId]: requestId,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(proof !== 'none' && { dpop: proofFor(name, { ...options, requestId }, proof) }),
        ...(cookies.size > 0 && {
          cookie: Array.from(cookies, ([cookie, value]) => `${cookie}=${value}`).join('; '),
        }),
        ...options.headers,
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    }
    const socket = remoteAddress === undefined ? {} : { remoteAddress }
    const response = await server.request(urlOf(name) + query, request, { incoming: { socket } })
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
    proofFor,
    cookies,
    key,
    async codeFor(email: string): Promise<string> {
      await call('sendEmailCode', { body: { email } })
      return context.mails.at(-1)?.subject.slice(0, 6) ?? ''
    },
    async login(email = 'ada@example.com') {
      const code = await this.codeFor(email)
      const { answer } = await call('loginWithEmailCode', { body: { email, code } })
      return v.parse(sessionAnswer, answer)
    },
  }
}
export type TestBrowser = ReturnType<typeof testBrowser>
export type TestSession = v.InferOutput<typeof sessionAnswer>

/** The session of a second browser that was forked from one of the first. */
export async function forkInto(second: TestBrowser, first: TestBrowser, session: TestSession) {
  const { token, refresh_token } = session
  const fork = await first.call('forkSession', { token, body: { refresh_token } })
  const forked = v.parse(forkAnswer, fork.answer).refresh_token
  const { answer } = await second.call('recoverFork', { body: { refresh_token: forked } })
  return v.parse(sessionAnswer, answer)
}
