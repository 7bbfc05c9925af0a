/** Authentication of calls. Each refusal is tested next to a call that differs only in the tested aspect. */
import type { Routes } from '@latchkey/protocol/api'
import { Hono } from 'hono'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { browserKey, type ProofParts } from '../../identity/sessions/testing/browser-key.ts'
import { testApp, testContext } from '../../testing/context.ts'
import type { VerifiedToken, WalletStep } from '../context.ts'
import { forDefaultEngine } from '../db/test-engines.ts'
import { siteForHost } from './addresses/sites.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { errorResponse, toLatchkeyError } from './failures.ts'
import { type HttpEnv, mountEndpoints } from './mount.ts'
import { createRateLimit } from './rate-limit.ts'
import { createWaits } from './waits.ts'

const dialogOrigin = 'http://dialog.localhost:4000'
const walletOrigin = 'http://wallet.localhost:4000'
const row = {
  appHeader: true,
  forks: true,
  output: v.object({ success: v.literal(true) }),
} as const
const change = {
  ...row,
  method: 'POST',
  effect: 'changes',
  body: v.object({ refreshToken: v.exactOptional(v.string()) }),
} as const
const routes = {
  '/read': { ...row, method: 'GET', path: '/read', auth: 'identity', effect: 'reads' },
  '/act': { ...change, path: '/act', auth: 'dialog' },
  '/own': { ...change, path: '/own', auth: 'dialog', forks: false },
  '/sign': { ...change, path: '/sign', auth: 'wallet', purposes: ['sign', 'recover'] },
  '/make': { ...change, path: '/make', auth: 'wallet', purposes: ['create'], forks: false },
  '/purposeless': { ...change, path: '/purposeless', auth: 'wallet' },
  '/either': { ...change, path: '/either', auth: 'dialog or wallet', purposes: ['recover'] },
  '/end': { ...change, path: '/end', auth: 'dialog', endsSession: true },
  '/anybody': { ...change, path: '/anybody', auth: 'none' },
  '/prove': { ...change, path: '/prove', auth: 'none', output: v.object({ session: v.string() }) },
  '/visit': { ...change, path: '/visit', auth: 'none', output: v.object({ session: v.string() }) },
} as const satisfies Routes
type Path = keyof typeof routes

const { '/visit': visit, '/prove': prove, ...others } = routes
const endpoints: readonly Endpoint[] = [
  ...Object.values(others).map((route) => endpoint(route, () => ({ success: true }))),
  endpoint(prove, ({ proof }) => ({ session: proof().key })),
  endpoint(visit, async ({ loggedIn }) => ({ session: (await loggedIn())?.sessionId ?? 'nobody' })),
]

const browser = browserKey()
const device = browserKey()
const stepFor = (purpose: WalletStep['purpose']): WalletStep => ({
  vaultKey: '',
  operation: { id: 'op_1', step: 1 },
  purpose,
  walletId: null,
  confirmed: null,
})

forDefaultEngine((database) => {
  const open = async () => {
    let appId = ''
    const tokens = (): Readonly<Record<string, VerifiedToken>> => {
      const own = { appId, userId: 'user', sessionId: 'session', isFork: false }
      const ofDevice = { language: 'en', keyThumbprint: device.thumbprint } as const
      const fork = { ...own, sessionId: 'fork', isFork: true }
      const dialog = { scope: 'dialog', keyThumbprint: browser.thumbprint, device: null } as const
      return {
        dialog: { ...own, ...dialog },
        'dialog of a fork': { ...fork, ...dialog },
        host: { ...own, scope: 'host' },
        'host of a fork': { ...fork, scope: 'host' },
        sign: { ...own, scope: 'wallet', step: stepFor('sign'), ...ofDevice },
        connect: { ...own, scope: 'wallet', step: stepFor('connect'), ...ofDevice },
        create: { ...own, scope: 'wallet', step: stepFor('create'), ...ofDevice },
        'sign of a fork': { ...fork, scope: 'wallet', step: stepFor('sign'), ...ofDevice },
        'create of a fork': { ...fork, scope: 'wallet', step: stepFor('create'), ...ofDevice },
        recover: { ...own, scope: 'wallet', step: stepFor('recover'), ...ofDevice },
        'other app': { ...own, ...dialog, appId: 'b'.repeat(25) },
      }
    }
    /** The token of an ended session, accepted only if any session is. */
    const over: VerifiedToken = {
      appId: '',
      userId: 'user',
      sessionId: 'over',
      isFork: false,
      scope: 'dialog',
      keyThumbprint: browser.thumbprint,
      device: null,
    }
    const context = await testContext(database(), {
      verifyToken: () => async (token, of) =>
        token === 'over'
          ? of === 'any session'
            ? { ...over, appId }
            : undefined
          : tokens()[token.replaceAll('_', ' ')],
    })
    const app = await testApp(context)
    appId = app.id
    const hono = new Hono<HttpEnv>()
    hono.use(async (c, next) => {
      c.set('site', siteForHost(c.req.header('host'), context.config))
      await next()
    })
    hono.onError((error, c) => errorResponse(c, toLatchkeyError(error)))
    mountEndpoints(
      hono,
      context,
      createRateLimit(context),
      createWaits(async () => {}),
      endpoints,
    )

    type Ask = {
      proof?: Partial<ProofParts> | 'none'
      body?: string
      headers?: Readonly<Record<string, string | undefined>>
    }
    const isWallet = (token: string | undefined) =>
      token !== undefined && tokens()[token.replaceAll('_', ' ')]?.scope === 'wallet'
    /** A proof that is valid except for the overridden parts. */
    const rightProof = (path: Path, token: string, parts: Partial<ProofParts> = {}) =>
      (isWallet(token) ? device : browser).prove({
        method: routes[path].method,
        url: `${isWallet(token) ? walletOrigin : dialogOrigin}/api/v1${path}`,
        atSeconds: Math.floor(context.clock.nowMs() / 1_000),
        requestId: 'request-1',
        body: path === '/read' ? '' : '{}',
        token,
        ...parts,
      })
    const call = async (path: Path, name: string | undefined, { proof, body, headers }: Ask = {}) => {
      const { method } = routes[path]
      const token = name?.replaceAll(' ', '_')
      const origin = isWallet(token) ? walletOrigin : dialogOrigin
      const all = {
        host: new URL(origin).host,
        origin: method === 'GET' ? undefined : origin,
        'latchkey-app-id': app.id,
        'latchkey-request-id': 'request-1',
        'content-type': 'application/json',
        authorization: token && `Bearer ${token}`,
        dpop: proof === 'none' ? undefined : rightProof(path, token ?? '', proof),
        ...headers,
      }
      const sent = new Headers()
      for (const [header, value] of Object.entries(all)) if (value !== undefined) sent.set(header, value)
      const answer = await hono.request(`${origin}/api/v1${path}`, {
        method,
        headers: sent,
        ...(method === 'POST' && { body: body ?? '{}' }),
      })
      const { code, details, session } = v.parse(
        v.object({
          code: v.optional(v.string()),
          details: v.optional(v.unknown()),
          session: v.optional(v.string()),
        }),
        await answer.json(),
      )
      return { status: answer.status, code, details, session }
    }
    return { context, app, call, rightProof }
  }
  const right = { status: 200, code: undefined, details: undefined }
  const refused = (reason: string) => ({ status: 401, code: 'missing_or_invalid_token', details: { reason } })

  test.each<[Path, string | undefined, number, string | undefined]>([
    ['/read', 'dialog', 200, undefined],
    ['/read', 'dialog of a fork', 200, undefined],
    ['/read', 'host', 200, undefined],
    ['/read', 'host of a fork', 200, undefined],
    ['/read', 'sign', 403, 'insufficient_scope'],
    ['/act', 'dialog', 200, undefined],
    ['/act', 'dialog of a fork', 200, undefined],
    ['/act', 'host', 403, 'insufficient_scope'],
    ['/act', 'sign', 403, 'insufficient_scope'],
    ['/own', 'dialog', 200, undefined],
    ['/own', 'dialog of a fork', 403, 'insufficient_scope'],
    ['/sign', 'sign', 200, undefined],
    ['/sign', 'sign of a fork', 200, undefined],
    ['/sign', 'connect', 403, 'insufficient_scope'],
    ['/sign', 'create', 403, 'insufficient_scope'],
    ['/sign', 'dialog', 403, 'insufficient_scope'],
    ['/sign', 'host', 403, 'insufficient_scope'],
    ['/make', 'create', 200, undefined],
    ['/make', 'create of a fork', 403, 'insufficient_scope'],
    ['/make', 'sign', 403, 'insufficient_scope'],
    ['/purposeless', 'sign', 403, 'insufficient_scope'],
    ['/either', 'dialog', 200, undefined],
    ['/either', 'recover', 200, undefined],
    ['/either', 'sign', 403, 'insufficient_scope'],
    ['/either', 'host', 403, 'insufficient_scope'],
    ['/end', 'dialog', 200, undefined],
    ['/end', 'over', 200, undefined],
    ['/act', 'over', 401, 'missing_or_invalid_token'],
    ['/read', 'over', 401, 'missing_or_invalid_token'],
    ['/act', 'forged', 401, 'missing_or_invalid_token'],
    ['/act', 'other app', 401, 'missing_or_invalid_token'],
    ['/act', undefined, 401, 'must_be_authenticated'],
    ['/anybody', undefined, 200, undefined],
    ['/anybody', 'forged', 200, undefined],
  ])('%s with the token %s answers %i', async (path, token, status, code) => {
    const { call } = await open()
    const answer = await call(path, token)
    expect([answer.status, answer.code]).toEqual([status, code])
  })

  test.each(['dialog', 'Basic dialog', 'Bearer', 'Bearer  dialog', 'Bearer dialog, Bearer dialog'])(
    'the authorization header %j is rejected',
    async (authorization) => {
      const { call } = await open()
      expect((await call('/act', 'dialog', { headers: { authorization } })).status).toBe(401)
      expect((await call('/act', 'dialog', { headers: { authorization: 'bearer dialog' } })).status).toBe(200)
    },
  )

  describe('a dialog token', () => {
    const url = (path: string) => `${dialogOrigin}/api/v1${path}`
    const now = (at: number) => Date.UTC(2026, 0, 1) / 1_000 + at

    test.each<[Path, string, Partial<ProofParts> | 'none']>([
      ['/act', 'proof_missing', 'none'],
      ['/act', 'proof_of_another_method', { method: 'GET' }],
      ['/act', 'proof_of_another_url', { url: url('/own') }],
      ['/act', 'proof_of_another_url', { url: 'http://wallet.localhost:4000/api/v1/act' }],
      ['/act', 'proof_of_another_url', { url: `${url('/act')}?a=1` }],
      ['/act', 'proof_stale', { atSeconds: now(-90) }],
      ['/act', 'proof_stale', { atSeconds: now(30) }],
      ['/act', 'proof_of_another_request', { requestId: 'request-2' }],
      ['/act', 'proof_of_another_body', { body: '{"refresh_token":"1"}' }],
      ['/act', 'proof_of_another_token', { token: 'dialog_of_a_fork' }],
      ['/act', 'proof_of_another_token', { token: undefined }],
      ['/read', 'proof_missing', 'none'],
      ['/read', 'proof_of_another_method', { method: 'POST' }],
      ['/read', 'proof_of_another_url', { url: url('/act') }],
      ['/read', 'proof_stale', { atSeconds: now(-90) }],
      ['/read', 'proof_of_another_body', { body: '{}' }],
      ['/read', 'proof_of_another_token', { token: 'host' }],
    ])(
      '%s is rejected with %s for a proof with %j, and accepted with its own proof',
      async (path, reason, proof) => {
        const { call } = await open()
        expect(await call(path, 'dialog', { proof })).toEqual(refused(reason))
        expect(await call(path, 'dialog')).toEqual(right)
      },
    )

    test('rejects a dialog token with a valid proof of another key', async () => {
      const { call, context } = await open()
      const atSeconds = context.clock.nowMs() / 1_000
      const thief = browserKey()
      const dpop = thief.prove({
        url: url('/act'),
        atSeconds,
        requestId: 'request-1',
        body: '{}',
        token: 'dialog',
      })
      expect(await call('/act', 'dialog', { headers: { dpop } })).toEqual(refused('proof_of_another_key'))
      expect(await call('/act', 'dialog')).toEqual(right)
    })

    test('rejects a copied proof with another body', async () => {
      const { call } = await open()
      const own = '{"refresh_token":"own"}'
      const proof = { body: own, token: 'own' }
      expect(await call('/act', 'dialog', { body: own, proof })).toEqual(right)
      const another = call('/act', 'dialog', { body: '{"refresh_token":"another"}', proof })
      expect(await another).toEqual(refused('proof_of_another_body'))
    })

    test('requires the proof to name the refresh token if the call has one', async () => {
      const { call } = await open()
      const body = '{"refresh_token":"own"}'
      expect(await call('/act', 'dialog', { body, proof: { body, token: 'own' } })).toEqual(right)
      const byItself = { body, token: 'dialog' }
      expect(await call('/act', 'dialog', { body, proof: byItself })).toEqual(
        refused('proof_of_another_token'),
      )
    })

    test('a proof can repeat a read until it expires, and a change only with its request id', async () => {
      const { call, context, rightProof } = await open()
      const reading = { headers: { dpop: rightProof('/read', 'dialog') } }
      const changing = { dpop: rightProof('/act', 'dialog') }
      context.clock.advanceSeconds(89)
      for (let turn = 0; turn < 2; turn += 1) {
        const headers = { ...reading.headers, 'latchkey-request-id': `read-number-${turn}` }
        expect(await call('/read', 'dialog', { headers })).toEqual(right)
        expect(await call('/act', 'dialog', { headers: changing })).toEqual(right)
      }
      for (const requestId of ['request-2', undefined]) {
        const headers = { ...changing, 'latchkey-request-id': requestId }
        expect(await call('/act', 'dialog', { headers })).toEqual(refused('proof_of_another_request'))
      }
      context.clock.advanceSeconds(1)
      expect(await call('/read', 'dialog', reading)).toEqual(refused('proof_stale'))
      expect(await call('/act', 'dialog', { headers: changing })).toEqual(refused('proof_stale'))
    })

    test('requires a proof for the called hostname', async () => {
      const { call, context, app } = await open()
      await setFields(context.db, context.clock, app.id, [['custom_api_url', 'https://api.app.example']])
      context.clock.advanceSeconds(2)
      const headers = { host: 'api.app.example' }
      const proof = { url: 'https://api.app.example/api/v1/act' }
      expect(await call('/act', 'dialog', { headers, proof })).toEqual(right)
      expect(await call('/act', 'dialog', { headers })).toEqual(refused('proof_of_another_url'))
      expect(await call('/act', 'dialog', { proof })).toEqual(refused('proof_of_another_url'))
      const wallet = {
        headers: { host: 'wallet.localhost:4000' },
        proof: { url: 'http://wallet.localhost:4000/api/v1/act' },
      }
      expect(await call('/act', 'dialog', wallet)).toEqual(right)
      expect(await call('/act', 'dialog', { headers: wallet.headers })).toEqual(
        refused('proof_of_another_url'),
      )
    })
  })

  describe('a public call with an optional login', () => {
    test('a public call receives the logged-in user, or undefined without a token', async () => {
      const { call } = await open()
      expect(await call('/visit', 'dialog')).toMatchObject({ status: 200, session: 'session' })
      expect(await call('/visit', 'dialog of a fork')).toMatchObject({ status: 200, session: 'fork' })
      expect(await call('/visit', undefined)).toMatchObject({ status: 200, session: 'nobody' })
    })

    test('a public call rejects invalid tokens like any other call', async () => {
      const { call } = await open()
      for (const token of ['forged', 'other app']) {
        expect(await call('/visit', token)).toMatchObject({ status: 401, code: 'missing_or_invalid_token' })
      }
      for (const token of ['host', 'sign']) {
        expect(await call('/visit', token)).toMatchObject({ status: 403, code: 'insufficient_scope' })
      }
      expect(await call('/visit', 'dialog', { proof: 'none' })).toEqual(refused('proof_missing'))
    })
  })

  test('a public call may require a proof without a token', async () => {
    const { call } = await open()
    const untold = { token: undefined }
    expect(await call('/prove', undefined, { proof: untold })).toMatchObject({
      status: 200,
      session: browser.thumbprint,
    })
    expect(await call('/prove', undefined, { proof: { ...untold, requestId: 'request-2' } })).toMatchObject(
      refused('proof_of_another_request'),
    )
  })

  describe('a wallet token', () => {
    test('a wallet token requires a proof by its device key, not by the dialog key', async () => {
      const { call, rightProof } = await open()
      expect(await call('/sign', 'sign')).toEqual(right)
      expect(await call('/sign', 'sign', { proof: 'none' })).toMatchObject(refused('proof_missing'))
      const now = Math.floor(Date.UTC(2026, 0, 1) / 1_000)
      const byDialog = browser.prove({
        url: `${walletOrigin}/api/v1/sign`,
        atSeconds: now,
        requestId: 'request-1',
        body: '{}',
        token: 'sign',
      })
      expect(await call('/sign', 'sign', { headers: { dpop: byDialog } })).toMatchObject(
        refused('proof_of_another_key'),
      )
      const ofAnother = rightProof('/sign', 'create')
      expect(await call('/sign', 'sign', { headers: { dpop: ofAnother } })).toMatchObject(
        refused('proof_of_another_token'),
      )
      expect(await call('/sign', 'sign', { body: '{"a":1}' })).toMatchObject(refused('proof_of_another_body'))
    })

    test('a wallet token is accepted only on the wallet hostname and from its page', async () => {
      const { call } = await open()
      const host = new URL(dialogOrigin).host
      expect(await call('/sign', 'sign', { headers: { host } })).toMatchObject({ status: 404 })
      expect(await call('/sign', 'sign', { headers: { origin: dialogOrigin } })).toMatchObject({
        status: 403,
        code: 'invalid_origin',
      })
    })
  })

  test('host tokens and public calls need no proof and ignore one', async () => {
    const { call } = await open()
    const calls = [
      ['/read', 'host'],
      ['/anybody', undefined],
    ] as const
    for (const [path, token] of calls) {
      expect(await call(path, token, { proof: 'none' })).toEqual(right)
      expect(await call(path, token, { headers: { dpop: 'nonsense' } })).toEqual(right)
    }
  })
})
