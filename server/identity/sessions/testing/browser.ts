/** The whole API over HTTP as a browser calls it: its own key, its own binding, its own cookies. */
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
  /** What the proof says otherwise than the call; `none` sends none. */
  proof?: Partial<ProofParts> | 'none'
  /** What the device states otherwise than the call; `none` states nothing. */
  stated?: object | 'none'
  headers?: Readonly<Record<string, string>>
  query?: `?${string}`
}

const step = v.object({ id: v.string(), step: v.number() })
const steppingBody = v.object({ public_key: v.string(), operation: step })
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
/** Of a login that names no vault: only its device counts. */
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

/** Where its calls go: into the server itself, or over the network to one that runs. */
type Callee = {
  request: (url: string, request: RequestInit, bindings: object) => Response | Promise<Response>
}
/** What a browser knows of the server, and of the mails that come. */
type Surroundings = Pick<TestContext, 'mails'> & {
  config: Pick<ServerConfig, 'dialogOrigin' | 'walletOrigin'>
  clock: Clock
}

/** Without an address it is counted by none. */
export function testBrowser(
  server: Callee,
  context: Surroundings,
  app: Pick<App, 'id'>,
  remoteAddress?: string,
) {
  const key = browserKey()
  /** Of the vault in it. */
  const device = browserKey()
  /** Of what was put to be confirmed, by its handle. */
  const digests = new Map<string, string>()
  const binding = randomBytes(16).toString('base64url')
  const cookies = new Map<string, string>()
  const { dialogOrigin, walletOrigin } = context.config

  /** As for this call, but for the parts that a test says. */
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

  /** As the vault of this browser states the step that a call is about, but for the parts that a test says. */
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
    const { stated } = options
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
    /** As the page of confirmations does it, with what the vault of this browser signs. */
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

/** The session of a second browser that was forked from one of the first. */
export async function forkInto(second: TestBrowser, first: TestBrowser, session: TestSession) {
  const { token, refresh_token } = session
  const fork = await first.call('forkSession', { token, body: { refresh_token } })
  const forked = v.parse(forkAnswer, fork.answer).refresh_token
  const { answer } = await second.call('recoverFork', { body: { refresh_token: forked } })
  return v.parse(sessionAnswer, answer)
}
