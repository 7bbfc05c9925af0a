import { product } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import type { Server } from '../../start/app.ts'
import { capabilities } from '../../start/capabilities.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import type { App } from '../apps/apps.ts'
import { forkAnswer, sessionAnswer, type TestBrowser, testBrowser, testServer } from './testing/browser.ts'
import { createTokenVerifier } from './tokens/verifier.ts'

const ended = { status: 401, answer: { code: 'missing_or_invalid_token' } }

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let server: Server
  let browser: TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    app = await testApp(context)
    server = testServer(context)
    browser = testBrowser(server, context, app)
  })

  const refresh = (from: TestBrowser, refreshToken?: string | null, token?: string) =>
    from.call('refreshSession', {
      token,
      body: refreshToken === undefined ? {} : { refresh_token: refreshToken },
    })
  const countOf = async (table: 'sessions') =>
    (await context.db.selectFrom(table).select('app_id').execute()).length

  // spec L7.4
  test('login and refresh return tokens with their wire names', async () => {
    const code = await browser.codeFor('ada@example.com')
    const login = await browser.call('loginWithEmailCode', { body: { email: 'ada@example.com', code } })
    expect(login).toMatchObject({
      status: 200,
      answer: {
        is_new_user: true,
        session_update_action: 'set',
        user: { linked_accounts: [{ type: 'email' }] },
      },
    })
    const { refresh_token, token, user } = v.parse(sessionAnswer, login.answer)
    const refreshed = await refresh(browser, refresh_token, token)
    expect(refreshed.answer).toMatchObject({ user: { id: user.id }, session_update_action: 'set' })
    const next = v.parse(sessionAnswer, refreshed.answer)
    expect(next.refresh_token).not.toBe(refresh_token)
    const again = v.parse(sessionAnswer, (await refresh(browser, refresh_token, token)).answer)
    expect(again.refresh_token).toBe(next.refresh_token)
  })

  test('a host backend verifies the host token with the public JWKS, from any hostname', async () => {
    const { host_token, user } = await browser.login()
    const published = await server.request('http://server.internal:8080/.well-known/jwks.json', {
      headers: { host: 'server.internal:8080' },
    })
    expect(published.status).toBe(200)
    expect(Object.fromEntries(published.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    })
    const keySet = v.parse(
      v.object({ keys: v.array(v.looseObject({ kty: v.string() })) }),
      await published.json(),
    )
    const keys = createLocalJWKSet(keySet)
    const { payload } = await jwtVerify(host_token, keys, {
      issuer: context.config.issuer,
      audience: app.id,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      currentDate: new Date(context.clock.nowMs()),
    })
    expect(payload).toMatchObject({ sub: user.id, scope: 'host' })
  })

  test('a refresh without a token is logged out without an error, and with a wrong token fails', async () => {
    expect(await refresh(browser)).toMatchObject({
      status: 200,
      answer: { user: null, token: null, refresh_token: null, session_update_action: 'clear' },
    })
    const { token } = await browser.login()
    expect(await refresh(browser, undefined, token)).toMatchObject(ended)
    expect(await refresh(browser, 'made up')).toMatchObject(ended)
  })

  describe('the browser key', () => {
    test('a copied refresh token is useless in another browser', async () => {
      const { refresh_token } = await browser.login()
      const thief = testBrowser(server, context, app)
      expect(await refresh(thief, refresh_token)).toMatchObject(ended)
      expect(await refresh(browser, refresh_token)).toMatchObject({ status: 200 })
    })

    test('starting or refreshing any session requires a proof', async () => {
      const bare = (name: Parameters<TestBrowser['call']>[0], body: unknown, token?: string) =>
        browser.call(name, { proof: 'none', body, token })
      const unproven = { status: 401, answer: { details: { reason: 'proof_missing' } } }
      const login = { email: 'ada@example.com', code: await browser.codeFor('ada@example.com') }
      expect(await bare('loginWithEmailCode', login)).toMatchObject({ ...ended, ...unproven })
      const loggedIn = await browser.call('loginWithEmailCode', { body: login })
      const { token, refresh_token } = v.parse(sessionAnswer, loggedIn.answer)
      expect(await bare('refreshSession', { refresh_token })).toMatchObject(unproven)
      const fork = await browser.call('forkSession', { token, body: { refresh_token } })
      const forked = { refresh_token: v.parse(forkAnswer, fork.answer).refresh_token }
      expect(await bare('recoverFork', forked)).toMatchObject(unproven)
      expect(await browser.call('recoverFork', { body: forked })).toMatchObject({ status: 200 })
      const made = await browser.call('createSessionCode', { token })
      const code = v.parse(v.object({ code: v.string() }), made.answer)
      expect(await bare('redeemSessionCode', code)).toMatchObject(unproven)
      expect(await browser.call('redeemSessionCode', { body: code })).toMatchObject({ status: 200 })
      const rows = await context.db.selectFrom('sessions').select('key_thumbprint').execute()
      expect(rows.map((row) => row.key_thumbprint)).toEqual(Array(3).fill(browser.key.thumbprint))
    })

    test('the proof of one refresh is invalid for the next', async () => {
      const { refresh_token } = await browser.login()
      const options = { requestId: 'refresh-1', body: { refresh_token } }
      const dpop = browser.proofFor('refreshSession', options)
      const next = v.parse(sessionAnswer, (await browser.call('refreshSession', options)).answer)
      const successor = { requestId: 'refresh-1', body: { refresh_token: next.refresh_token } }
      const copied = await browser.call('refreshSession', { ...successor, headers: { dpop } })
      expect(copied).toMatchObject({ status: 401, answer: { details: { reason: 'proof_of_another_body' } } })
      const ofParent = { ...successor, proof: { token: refresh_token ?? '' } }
      expect(await browser.call('refreshSession', ofParent)).toMatchObject({
        status: 401,
        answer: { details: { reason: 'proof_of_another_token' } },
      })
      expect(await browser.call('refreshSession', successor)).toMatchObject({ status: 200 })
    })

    test('a repeated response is returned to the same browser only', async () => {
      const { token, refresh_token } = await browser.login()
      const forked = v.parse(
        forkAnswer,
        (await browser.call('forkSession', { token, body: { refresh_token } })).answer,
      ).refresh_token
      const requestId = 'the-same-request'
      const other = testBrowser(server, context, app)
      const request = { requestId, body: { refresh_token: forked } }
      const first = v.parse(sessionAnswer, (await other.call('recoverFork', request)).answer)
      const second = v.parse(sessionAnswer, (await other.call('recoverFork', request)).answer)
      expect(second.refresh_token).toBe(first.refresh_token)
      const headers = { [product.headers.loginBinding]: 'another' }
      expect((await browser.call('recoverFork', { ...request, headers })).status).toBe(422)
    })
  })

  describe('forks', () => {
    // spec L7.7, L7.5, L7.47
    test('a fork is created and recovered once, and repeatedly for the same request', async () => {
      const { token, refresh_token } = await browser.login()
      const request = { token, requestId: 'fork-once', body: { refresh_token } }
      const fork = await browser.call('forkSession', request)
      expect(fork.setCookies).toEqual([])
      const forked = v.parse(forkAnswer, fork.answer)
      const again = v.parse(forkAnswer, (await browser.call('forkSession', request)).answer)
      expect(again).toEqual({ ...forked, token: again.token })
      expect(await countOf('sessions')).toBe(2)
      expect(await refresh(browser, forked.new_session_refresh_token)).toMatchObject({
        status: 200,
        answer: { session_update_action: 'set' },
      })

      const other = testBrowser(server, context, app)
      const recover = { body: { refresh_token: forked.refresh_token } }
      const first = await other.call('recoverFork', recover)
      expect(first).toMatchObject({ status: 200, answer: { session_update_action: 'set' } })
      const { refresh_token: own } = v.parse(sessionAnswer, first.answer)
      expect(await other.call('recoverFork', recover)).toMatchObject({ answer: { refresh_token: own } })
      const thief = testBrowser(server, context, app)
      expect(await thief.call('recoverFork', recover)).toMatchObject({
        status: 400,
        answer: { code: 'token_already_used' },
      })
    })

    test('forking without a refresh token fails', async () => {
      const { token } = await browser.login()
      expect(await browser.call('forkSession', { token })).toMatchObject(ended)
      expect(await countOf('sessions')).toBe(1)
    })

    test('forking with the refresh token of another session fails', async () => {
      const [one, two] = [await browser.login(), await browser.login()]
      const body = { refresh_token: two.refresh_token }
      expect(await browser.call('forkSession', { token: one.token, body })).toMatchObject(ended)
      expect(await countOf('sessions')).toBe(2)
      expect(await browser.call('forkSession', { token: two.token, body })).toMatchObject({ status: 200 })
    })

    // spec L2.9
    test('a one-use code starts one session', async () => {
      const { token } = await browser.login()
      const made = await browser.call('createSessionCode', { token })
      expect(made.answer).toMatchObject({ expires_in_seconds: 60 })
      const { code } = v.parse(v.object({ code: v.string() }), made.answer)
      const other = testBrowser(server, context, app)
      const redeemed = await other.call('redeemSessionCode', { body: { code } })
      const { refresh_token } = v.parse(sessionAnswer, redeemed.answer)
      expect(await other.call('redeemSessionCode', { body: { code } })).toMatchObject({
        answer: { refresh_token },
      })
      expect(await refresh(other, refresh_token)).toMatchObject({ status: 200 })
      expect(await browser.call('redeemSessionCode', { body: { code } })).toMatchObject({
        answer: { code: 'token_already_used' },
      })
    })
  })

  describe('logout', () => {
    // spec L7.6
    test('logout ends the session, and succeeds when repeated or for unknown tokens', async () => {
      const { token, refresh_token } = await browser.login()
      for (const body of [{ refresh_token }, { refresh_token }, { refresh_token: 'unknown' }, {}])
        expect(await browser.call('logout', { body })).toMatchObject({
          status: 200,
          answer: { success: true },
        })
      expect(await refresh(browser, refresh_token)).toMatchObject(ended)
      expect(await browser.call('me', { token })).toMatchObject(ended)
    })

    test('logout without a refresh token accepts the dialog token, but not the host token', async () => {
      const { token, host_token } = await browser.login()
      expect((await browser.call('logout', { token: host_token })).setCookies).toEqual([])
      expect(await browser.call('me', { token })).toMatchObject({ status: 200 })
      expect(await browser.call('logout', { token, proof: 'none' })).toMatchObject({ status: 401 })
      const thief = testBrowser(server, context, app)
      expect(await thief.call('logout', { token })).toMatchObject({ status: 401 })
      expect(await browser.call('me', { token })).toMatchObject({ status: 200 })
      await browser.call('logout', { token })
      expect(await browser.call('me', { token })).toMatchObject(ended)
    })

    test('a dialog token sent to another app ends no session', async () => {
      const { token } = await browser.login()
      const elsewhere = { [product.headers.appId]: (await testApp(context)).id }
      expect(await browser.call('logout', { token, headers: elsewhere })).toMatchObject({ status: 200 })
      expect(await browser.call('me', { token })).toMatchObject({ status: 200 })
      await browser.call('logout', { token })
      expect(await browser.call('me', { token })).toMatchObject(ended)
    })

    test('revoking all sessions ends those of other browsers too', async () => {
      const other = testBrowser(server, context, app)
      const [{ token }, there] = [await browser.login(), await other.login()]
      expect(await browser.call('revokeAllSessions', { token })).toMatchObject({
        status: 200,
        answer: { success: true },
        setCookies: [],
      })
      expect(await refresh(other, there.refresh_token)).toMatchObject(ended)
    })

    test('logout and revocation succeed only after the session has ended', async () => {
      let isBroken = false
      const transaction: TestContext['transaction'] = (work) =>
        isBroken ? Promise.reject(new Error('a mistake of ours')) : context.transaction(work)
      const one = testBrowser(testServer({ ...context, transaction }), context, app)
      const { token, refresh_token } = await one.login()
      isBroken = true
      expect(await one.call('logout', { body: { refresh_token } })).toMatchObject({ status: 500 })
      expect(await one.call('revokeAllSessions', { token })).toMatchObject({ status: 500 })
      isBroken = false
      expect(await one.call('revokeAllSessions', { token })).toMatchObject({ status: 200 })
    })
  })

  describe('cookie mode', () => {
    beforeEach(() => {
      app = { ...app, sessionMode: 'cookie' }
      const apps = { ...context.apps, find: async (id: string) => (id === app.id ? app : undefined) }
      server = testServer({ ...context, apps })
      browser = testBrowser(server, context, app)
    })

    // spec L9.3
    test('stores the refresh token in an HttpOnly cookie for 30 days, beside a readable marker with its counter', async () => {
      const code = await browser.codeFor('ada@example.com')
      const login = await browser.call('loginWithEmailCode', { body: { email: 'ada@example.com', code } })
      expect(login.answer).toMatchObject({ refresh_token: null, session_update_action: 'ignore' })
      const [refreshCookie = '', marker = ''] = login.setCookies
      const month = 30 * 86_400
      expect(refreshCookie).toMatch(new RegExp(`^${product.refreshCookie(app.id)}=1\\.ses_`))
      for (const attribute of ['Path=/', 'Secure', 'SameSite=None', 'Partitioned', `Max-Age=${month}`]) {
        expect(refreshCookie.split('; ')).toContain(attribute)
        expect(marker.split('; ')).toContain(attribute)
      }
      expect(refreshCookie.split('; ')).toContain('HttpOnly')
      expect(marker).toMatch(new RegExp(`^${product.sessionMarkerCookie(app.id)}=1;`))
      expect(marker).not.toContain('HttpOnly')
      expect(`${refreshCookie}${marker}`).not.toContain('Domain')
    })

    // spec L4.6
    test('refreshes without a token in the request or response body', async () => {
      await browser.login()
      const before = browser.cookies.get(product.refreshCookie(app.id))
      const refreshed = await refresh(browser)
      expect(refreshed.answer).toMatchObject({ refresh_token: null, session_update_action: 'ignore' })
      expect(browser.cookies.get(product.refreshCookie(app.id))).not.toBe(before)
      const { token } = v.parse(sessionAnswer, refreshed.answer)
      const beforeFork = browser.cookies.get(product.refreshCookie(app.id))
      const forked = await browser.call('forkSession', { token })
      expect(forked.answer).toMatchObject({ new_session_refresh_token: null })
      expect(browser.cookies.get(product.refreshCookie(app.id))).not.toBe(beforeFork)
      expect(await refresh(browser)).toMatchObject({ status: 200 })
    })

    test('the proof names the counter of the marker cookie, and is invalid for another cookie', async () => {
      await browser.login()
      const marker = () => browser.cookies.get(product.sessionMarkerCookie(app.id))
      expect(marker()).toBe('1')
      const another = { status: 401, answer: { details: { reason: 'proof_of_another_token' } } }
      // The error contains the counter, because a dialog with a custom API hostname can not read the marker.
      const told = { status: 401, answer: { details: { ...another.answer.details, refreshCounter: 1 } } }
      for (const refreshCounter of [2, undefined])
        expect(await browser.call('refreshSession', { proof: { refreshCounter } })).toMatchObject(told)
      expect(await refresh(browser)).toMatchObject({ status: 200 })
      expect(marker()).toBe('2')
      expect(await browser.call('refreshSession', { proof: { refreshCounter: 1 } })).toMatchObject(another)
      expect(await browser.call('refreshSession', { proof: 'none' })).toMatchObject({ status: 401 })
      const { token } = v.parse(sessionAnswer, (await refresh(browser)).answer)
      expect(await browser.call('forkSession', { token, proof: { refreshCounter: 2 } })).toMatchObject(
        another,
      )
      expect(await browser.call('forkSession', { token })).toMatchObject({ status: 200 })
      expect(await browser.call('me', { token, proof: 'none' })).toMatchObject({ status: 401 })
      expect(await browser.call('me', { token })).toMatchObject({ status: 200 })
    })

    // spec L9.4
    test('an app with a custom API URL uses cookies as well', async () => {
      app = { ...app, sessionMode: 'storage' }
      expect((await browser.login()).refresh_token).not.toBeNull()
      expect(browser.cookies.size).toBe(0)
      const ofItsOwn = { ...app, config: { ...app.config, customApiUrl: context.config.dialogOrigin } }
      for (const turnedOn of [ofItsOwn, { ...app, sessionMode: 'cookie' as const }]) {
        app = turnedOn
        browser.cookies.clear()
        expect((await browser.login()).refresh_token).toBeNull()
        expect(browser.cookies.size).toBe(2)
      }
    })

    test('an empty cookie counts as none, and the response clears the marker', async () => {
      await browser.login()
      browser.cookies.set(product.refreshCookie(app.id), '')
      const told = await refresh(browser)
      expect(told).toMatchObject({ status: 200, answer: { session_update_action: 'clear' } })
      expect(told.setCookies).toHaveLength(2)
      expect(browser.cookies.size).toBe(0)
    })

    test('revoking all sessions removes both cookies', async () => {
      const { token } = await browser.login()
      await browser.call('revokeAllSessions', { token })
      expect(browser.cookies.size).toBe(0)
    })

    test('logout removes both cookies and ends the session', async () => {
      await browser.login()
      const kept = new Map(browser.cookies)
      const [cookie = '', marker = ''] = (await browser.call('logout')).setCookies
      expect(browser.cookies.size).toBe(0)
      // A cookie is removed only with the attributes with which it was set.
      for (const attribute of ['Path=/', 'Secure', 'SameSite=None', 'Partitioned', 'Max-Age=0']) {
        expect(cookie.split('; ')).toContain(attribute)
        expect(marker.split('; ')).toContain(attribute)
      }
      expect(cookie.split('; ')).toContain('HttpOnly')
      expect(await refresh(browser)).toMatchObject({ answer: { session_update_action: 'clear' } })
      for (const [name, value] of kept) browser.cookies.set(name, value)
      expect(await refresh(browser)).toMatchObject(ended)
    })

    test('a browser with a token from before the change to cookie mode keeps its session', async () => {
      app = { ...app, sessionMode: 'storage' }
      const { refresh_token } = await browser.login()
      app = { ...app, sessionMode: 'cookie' }
      // The browser keeps its old token, so it is sent again, beside the cookie.
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await refresh(browser, refresh_token)).toMatchObject({
          status: 200,
          answer: { session_update_action: 'ignore' },
        })
        expect(browser.cookies.size).toBe(2)
      }
    })

    test('a cookie is never exchanged for a token that scripts can read', async () => {
      await browser.login()
      app = { ...app, sessionMode: 'storage' }
      expect(await refresh(browser)).toMatchObject({
        answer: { refresh_token: null, session_update_action: 'clear' },
      })
    })
  })

  describe('token scopes', () => {
    test('every route that changes anything or releases a share rejects the host token', async () => {
      const { host_token } = await browser.login()
      const tested = new Set<string>()
      for (const name of Object.keys(apiRoutes) as (keyof typeof apiRoutes)[]) {
        const { auth, effect } = apiRoutes[name]
        if (auth === 'none' || (auth === 'identity' && effect === 'reads')) continue
        tested.add(name)
        expect(await browser.call(name, { token: host_token }), name).toMatchObject({
          status: 403,
          answer: { code: 'insufficient_scope' },
        })
      }
      const mounted = capabilities.flatMap(({ endpoints = [] }) => endpoints).map(({ route }) => route.path)
      for (const name of tested)
        expect(mounted, name).toContain(apiRoutes[name as keyof typeof apiRoutes].path)
      expect(tested).toContain('releaseShares')
    })

    test('no route that changes something accepts identity tokens', () => {
      for (const [name, { auth, effect }] of Object.entries(apiRoutes))
        if (effect !== 'reads') expect(auth, name).not.toBe('identity')
    })

    test('a token of another app is rejected', async () => {
      const { token } = await browser.login()
      const other = testBrowser(server, context, await testApp(context))
      expect(await other.call('me', { token })).toMatchObject(ended)
    })
  })

  test('app config and analytics accept calls with any token or proof', async () => {
    const counted = { body: { event_name: 'sdk_initialize', client_id: null, payload: {} } }
    const { token } = await browser.login()
    const senders = [
      { proof: 'none' },
      { token, proof: 'none' },
      { token, proof: { token: 'another' } },
      { token: 'made-up' },
      { token, headers: { dpop: 'nonsense' } },
      { token },
    ] as const
    for (const sender of senders) {
      expect(await browser.call('appConfig', sender)).toMatchObject({ status: 200 })
      expect(await browser.call('analyticsEvent', { ...counted, ...sender })).toMatchObject({ status: 200 })
    }
  })

  test('accepting the terms is recorded in the user', async () => {
    const { token } = await browser.login()
    expect(await browser.call('me', { token })).toMatchObject({ answer: { has_accepted_terms: false } })
    for (let turn = 0; turn < 2; turn += 1)
      expect(await browser.call('acceptTerms', { token })).toMatchObject({
        answer: { has_accepted_terms: true },
      })
    expect(await browser.call('me', { token })).toMatchObject({ answer: { has_accepted_terms: true } })
  })
})
