/** A test browser that calls the whole API over HTTP, with its own key, login binding and cookies. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import { apiPrefix, apiRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerConfig } from '../../../kernel/config.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { createApp, type Server } from '../../../start/app.ts'
import type { TestContext } from '../../../testing/context.ts'
import type { App } from '../../apps/apps.ts'
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
  body?: unknown
  token?: string | undefined
  requestId?: string
  /** Overrides parts of the proof; `none` sends no proof. */
  proof?: Partial<ProofParts> | 'none'
  /** Overrides parts of the device statement; `none` sends no statement. */
  statement?: object | 'none'
  headers?: Readonly<Record<string, string>>
  query?: `?${string}`
}

const step = v.object({ id: v.string(), step: v.number() })
const steppingBody = v.object({ public_key: v.string(), operation: step })
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
/** The step of a login that names no vault, for which only the device matters. */
const anyStep = { public_key: point.toString('base64url'), operation: { id: 'op_of_login', step: 1 } }
const digestAnswer = v.looseObject({ digest: v.string(), place: v.string() })

function isWalletToken(token: string | undefined): boolean {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
    return claims.scope === 'wallet'
  } catch {
    return false
  }
}

const withRefreshToken = v.object({ refresh_token: v.string() })

/** The destination of the calls: an in-process server, or a running one over the network. */
type TestServerTarget = {
  request: (url: string, request: RequestInit, bindings: object) => Response | Promise<Response>
}
/** The parts of the server that a browser uses, and the sent mails. */
type TestServerContext = Pick<TestContext, 'mails'> & {
  config: Pick<ServerConfig, 'dialogOrigin' | 'walletOrigin'>
  clock: Clock
}

/** Creates a test browser. Without a remote address its calls are not rate limited by address. */
export function testBrowser(
  server: TestServerTarget,
  context: TestServerContext,
  app: Pick<App, 'id'>,
  remoteAddress?: string,
) {
  const key = browserKey()
  /** The device key of the vault in this browser. */
  const device = browserKey()
  /** Digests of requested confirmations, by handle. */
  const digests = new Map<string, string>()
  const binding = randomBytes(16).toString('base64url')
  const cookies = new Map<string, string>()
  const { dialogOrigin, walletOrigin } = context.config

  /** Creates the proof of a call, with overrides from the test. */
  function proofFor(name: keyof typeof apiRoutes, options: CallOptions, parts: Partial<ProofParts> = {}) {
    const { method } = apiRoutes[name]
    const { body = {}, token, requestId } = options
    const counter = cookies.get(product.sessionMarkerCookie(app.id))
    const isWallet = isWalletToken(token)
    return (isWallet ? device : key).prove({
      method,
      url: urlOf(name, isWallet),
      atSeconds: Math.floor(context.clock.nowMs() / 1_000),
      ...(requestId !== undefined && { requestId }),
      body: method === 'GET' ? '' : JSON.stringify(body),
      token: v.is(withRefreshToken, body) ? body.refresh_token : token,
      refreshCounter: counter === undefined ? undefined : Number(counter),
      ...parts,
    })
  }

  const urlOf = (name: keyof typeof apiRoutes, isWallet = false) =>
    (isWallet ? walletOrigin : dialogOrigin) + apiPrefix + apiRoutes[name].path.replace('{appId}', app.id)

  /** Creates the device statement about a call's step, with overrides from the test. */
  function statementFor(name: string, body: unknown, parts: object = {}): string | undefined {
    const isLogin = name.startsWith('loginWith')
    const step = v.safeParse(steppingBody, isLogin ? Object(body).vault : body)
    const { public_key: vpk, operation: op } = step.success ? step.output : anyStep
    const stated = { aud: app.id, jkt: key.thumbprint, vpk, op }
    if (isLogin || name === 'bindDevice')
      return device.state({ ...stated, purpose: 'login', address: null, digest: null, ...parts })
    if (name !== 'walletToken') return undefined
    const { purpose, address, confirmation } = Object(body)
    const digest = digests.get(confirmation) ?? null
    return device.state({ ...stated, purpose, address, digest, ...parts })
  }

  async function call(name: keyof typeof apiRoutes, options: CallOptions = {}) {
    const { method } = apiRoutes[name]
    const { body = {}, token, requestId = randomBytes(12).toString('base64url'), proof, query = '' } = options
    const { statement: stated } = options
    const isWallet = isWalletToken(token)
    const origin = isWallet ? walletOrigin : dialogOrigin
    const statement = stated === 'none' ? undefined : statementFor(name, body, stated)
    const request = {
      method,
      headers: {
        host: new URL(origin).host,
        origin,
        'content-type': 'application/json',
        [product.headers.appId]: app.id,
        [product.headers.loginBinding]: binding,
        [product.headers.requestId]: requestId,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(statement !== undefined && { [product.headers.device]: statement }),
        ...(proof !== 'none' && { dpop: proofFor(name, { ...options, requestId }, proof) }),
        ...(cookies.size > 0 && {
          cookie: Array.from(cookies, ([cookie, value]) => `${cookie}=${value}`).join('; '),
        }),
        ...options.headers,
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    }
    const socket = remoteAddress === undefined ? {} : { remoteAddress }
    const response = await server.request(urlOf(name, isWallet) + query, request, { incoming: { socket } })
    const setCookies = response.headers.getSetCookie()
    for (const text of setCookies) {
      const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(cookie)
      else cookies.set(cookie, value)
    }
    const answer: unknown = await response.json()
    const put = v.safeParse(digestAnswer, answer)
    if (put.success) digests.set(Object(body).handle, put.output.digest)
    return { status: response.status, headers: response.headers, setCookies, answer }
  }

  return {
    call,
    proofFor,
    cookies,
    key,
    device,
    statementFor,
    /** Approves a confirmation like the confirmation page, signed by this browser's vault. */
    approve(handle: string) {
      const digest = digests.get(handle) ?? ''
      const decided = { aud: app.id, decision: 'approve', handle, digest } as const
      const { aud: _, ...body } = { ...decided, statement: device.decide(decided) }
      return call('decideConfirmation', { body, proof: 'none' })
    },
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

/** Forks the session of the first browser into the second one. */
export async function forkInto(second: TestBrowser, first: TestBrowser, session: TestSession) {
  const { token, refresh_token } = session
  const fork = await first.call('forkSession', { token, body: { refresh_token } })
  const forked = v.parse(forkAnswer, fork.answer).refresh_token
  const { answer } = await second.call('recoverFork', { body: { refresh_token: forked } })
  return v.parse(sessionAnswer, answer)
}
