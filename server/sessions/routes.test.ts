import { product, sessionLimits } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Server } from '../app.ts'
import type { App } from '../apps/apps.ts'
import { capabilities } from '../capabilities.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../testing/context.ts'
import { testVault } from '../wallets/testing/vault.ts'
import { sessionAnswer, type TestBrowser, testBrowser, testServer } from './testing/browser.ts'
import { createTokenVerifier } from './verifier.ts'

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
  const forkAnswer = v.object({
    token: v.string(),
    refresh_token: v.string(),
    new_session_refresh_token: v.nullable(v.string()),
  })
  const countOf = async (table: 'sessions') =>
    (await context.db.selectFrom(table).select('app_id').execute()).length

  // spec L7.4
  test('tokens are given at login and new ones for the refresh token, with the names of the wire', async () => {
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

  test('a host backend verifies the host token with the published keys', async () => {
    const { host_token, user } = await browser.login()
    const keys = createLocalJWKSet({ keys: [...(await context.keyring.publicJwks()).keys] })
    const { payload } = await jwtVerify(host_token, keys, {
      issuer: context.config.issuer,
      audience: app.id,
      algorithms: ['ES256'],
      currentDate: new Date(context.clock.nowMs()),
    })
    expect(payload).toMatchObject({ sub: user.id, scope: 'host' })
  })

  test('who presents nothing is logged out without an error; who presents something wrong gets one', async () => {
    expect(await refresh(browser)).toMatchObject({
      status: 200,
      answer: { user: null, token: null, refresh_token: null, session_update_action: 'clear' },
    })
    const { token } = await browser.login()
    expect(await refresh(browser, undefined, token)).toMatchObject(ended)
    expect(await refresh(browser, 'made up')).toMatchObject(ended)
  })

  describe('the key of the browser', () => {
    test('a copied refresh token is useless in another browser', async () => {
      const { refresh_token } = await browser.login()
      const thief = testBrowser(server, context, app)
      expect(await refresh(thief, refresh_token)).toMatchObject(ended)
      const bare = { proves: false, body: { refresh_token } }
      expect(await browser.call('refreshSession', bare)).toMatchObject(ended)
      expect(await refresh(browser, refresh_token)).toMatchObject({ status: 200 })
    })

    test('a proof of another call is refused, whether or not the session has a key', async () => {
      const { refresh_token } = await browser.login('ada@example.com', { proves: false })
      const atSeconds = Math.floor(context.clock.nowMs() / 1_000)
      const dpop = browser.key.prove({
        url: `${context.config.dialogOrigin}/api/v1/sessions/fork`,
        atSeconds,
      })
      const call = { body: { refresh_token }, headers: { dpop } }
      expect(await browser.call('refreshSession', call)).toMatchObject(ended)
      expect(await browser.call('refreshSession', { ...call, headers: {}, proves: false })).toMatchObject({
        status: 200,
      })
    })

    test('an answer that is asked for again goes to the same browser only', async () => {
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
    // spec L7.7 L7.5
    test('fork and recover over the wire, once, and again for the same request', async () => {
      const { token, refresh_token } = await browser.login()
      const request = { token, requestId: 'fork-once', body: { refresh_token } }
      const fork = await browser.call('forkSession', request)
      const forked = v.parse(forkAnswer, fork.answer)
      const again = v.parse(forkAnswer, (await browser.call('forkSession', request)).answer)
      expect(again).toEqual({ ...forked, token: again.token })
      expect(await countOf('sessions')).toBe(2)
      expect(await refresh(browser, forked.new_session_refresh_token)).toMatchObject({ status: 200 })

      const other = testBrowser(server, context, app)
      const recover = { body: { refresh_token: forked.refresh_token } }
      expect(await other.call('recoverFork', recover)).toMatchObject({
        status: 200,
        answer: { session_update_action: 'set' },
      })
      expect(await other.call('recoverFork', recover)).toMatchObject({
        answer: { code: 'token_already_used' },
      })
    })

    // spec L2.9
    test('a one-use code starts a session, and not twice', async () => {
      const { token } = await browser.login()
      const made = await browser.call('createSessionCode', { token })
      expect(made.answer).toMatchObject({ expires_in_seconds: sessionLimits.oneUseCodeSeconds })
      const { code } = v.parse(v.object({ code: v.string() }), made.answer)
      const other = testBrowser(server, context, app)
      const redeemed = await other.call('redeemSessionCode', { body: { code } })
      const { refresh_token } = v.parse(sessionAnswer, redeemed.answer)
      expect(await refresh(other, refresh_token)).toMatchObject({ status: 200 })
      expect(await other.call('redeemSessionCode', { body: { code } })).toMatchObject({
        answer: { code: 'token_already_used' },
      })
    })

    test('a fork links no e-mail', async () => {
      const { token, refresh_token } = await browser.login()
      const forked = v.parse(
        forkAnswer,
        (await browser.call('forkSession', { token, body: { refresh_token } })).answer,
      )
      const other = testBrowser(server, context, app)
      const recovered = await other.call('recoverFork', { body: { refresh_token: forked.refresh_token } })
      const { token: forkToken } = v.parse(sessionAnswer, recovered.answer)
      const body = { email: 'eve@example.com', code: await other.codeFor('eve@example.com') }
      expect(await other.call('linkEmail', { token: forkToken, body })).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
    })
  })

  describe('logout', () => {
    // spec L7.6
    test('ends the session, answers twice, and answers for tokens that it does not know', async () => {
      const { token, refresh_token } = await browser.login()
      for (const body of [{ refresh_token }, { refresh_token }, { refresh_token: 'unknown' }, {}])
        expect(await browser.call('logout', { body })).toMatchObject({
          status: 200,
          answer: { success: true },
        })
      expect(await refresh(browser, refresh_token)).toMatchObject(ended)
      expect(await browser.call('me', { token })).toMatchObject(ended)
    })

    test('without a refresh token the dialog token ends it, and the host token does not', async () => {
      const { token, host_token } = await browser.login()
      await browser.call('logout', { token: host_token })
      expect(await browser.call('me', { token })).toMatchObject({ status: 200 })
      await browser.call('logout', { token })
      expect(await browser.call('me', { token })).toMatchObject(ended)
    })

    test('revoking all ends the sessions of other browsers too', async () => {
      const other = testBrowser(server, context, app)
      const [{ token }, there] = [await browser.login(), await other.login()]
      expect(await browser.call('revokeAllSessions', { token })).toMatchObject({ status: 200 })
      expect(await refresh(other, there.refresh_token)).toMatchObject(ended)
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
    test('the refresh token is in a cookie that no script reads, beside a marker that says so for 30 days', async () => {
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
    test('a refresh needs no token in the body, and no body has one', async () => {
      await browser.login()
      const before = browser.cookies.get(product.refreshCookie(app.id))
      const refreshed = await refresh(browser)
      expect(refreshed.answer).toMatchObject({ refresh_token: null, session_update_action: 'ignore' })
      expect(browser.cookies.get(product.refreshCookie(app.id))).not.toBe(before)
      const { token } = v.parse(sessionAnswer, refreshed.answer)
      const forked = await browser.call('forkSession', { token })
      expect(forked.answer).toMatchObject({ new_session_refresh_token: null })
      expect(await refresh(browser)).toMatchObject({ status: 200 })
    })

    test('logout takes both cookies away, and then there is nothing to refresh', async () => {
      await browser.login()
      await browser.call('logout')
      expect(browser.cookies.size).toBe(0)
      expect(await refresh(browser)).toMatchObject({ answer: { session_update_action: 'clear' } })
    })

    test('a browser that has its token from before the app changed modes keeps its session', async () => {
      app = { ...app, sessionMode: 'storage' }
      const { refresh_token } = await browser.login()
      app = { ...app, sessionMode: 'cookie' }
      expect(await refresh(browser, refresh_token)).toMatchObject({
        answer: { session_update_action: 'ignore' },
      })
      expect(browser.cookies.size).toBe(2)
    })

    test('a cookie is not turned into a token that scripts read', async () => {
      await browser.login()
      app = { ...app, sessionMode: 'storage' }
      expect(await refresh(browser)).toMatchObject({
        answer: { refresh_token: null, session_update_action: 'clear' },
      })
    })
  })

  describe('which token opens what', () => {
    test('the host token is refused by every route that changes anything or releases a share', async () => {
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

    test('no route that changes something takes a token of identity', () => {
      for (const [name, { auth, effect }] of Object.entries(apiRoutes))
        if (effect !== 'reads') expect(auth, name).not.toBe('identity')
    })

    test('a wallet token is made for a point on the curve and opens the wallet routes, and only those', async () => {
      const { token } = await browser.login()
      const vault = await testVault()
      expect(
        await browser.call('walletToken', { token, body: { public_key: `B${'A'.repeat(86)}` } }),
      ).toMatchObject({ status: 422 })
      const made = await browser.call('walletToken', { token, body: { public_key: vault.publicKey } })
      const { token: walletToken } = v.parse(v.object({ token: v.string() }), made.answer)
      expect(await browser.call('walletStatus', { token: walletToken })).toMatchObject({
        answer: { wallet: null },
      })
      for (const name of ['me', 'acceptTerms', 'forkSession', 'walletToken'] as const) {
        const body = { public_key: vault.publicKey }
        expect(await browser.call(name, { token: walletToken, body }), name).toMatchObject({ status: 403 })
      }
      expect(await browser.call('walletStatus', { token })).toMatchObject({ status: 403 })
      context.clock.advanceSeconds(sessionLimits.walletTokenSeconds)
      expect(await browser.call('walletStatus', { token: walletToken })).toMatchObject(ended)
    })

    test('the token of another app opens nothing', async () => {
      const { token } = await browser.login()
      const other = testBrowser(server, context, await testApp(context))
      expect(await other.call('me', { token })).toMatchObject(ended)
    })
  })

  test('a wallet is made over the wire, and asking again gives the same answer', async () => {
    const { token, user } = await browser.login()
    const vault = await testVault()
    const made = await browser.call('walletToken', { token, body: { public_key: vault.publicKey } })
    const { token: walletToken } = v.parse(v.object({ token: v.string() }), made.answer)
    const begun = await browser.call('beginWallet', { token: walletToken, body: { chain_type: 'ethereum' } })
    const pending = v.parse(
      v.object({
        wallet_id: v.string(),
        generation: v.number(),
        sealing_key: v.object({ id: v.string(), public_key: v.string() }),
      }),
      begun.answer,
    )
    const place = {
      appId: app.id,
      userId: user.id,
      walletId: pending.wallet_id,
      generation: pending.generation,
    }
    const { id, public_key: publicKey } = pending.sealing_key
    const { commit } = await vault.commit(place, { id, publicKey })
    const body = {
      wallet_id: commit.walletId,
      generation: commit.generation,
      address: commit.address,
      recovery_method: commit.recoveryMethod,
      sealing_key_id: commit.sealingKeyId,
      auth_share: commit.authShare,
      recovery_share: commit.recoveryShare,
      proof: commit.proof,
    }
    const request = { token: walletToken, body, requestId: 'commit-once' }
    const first = await browser.call('commitWallet', request)
    expect(first).toMatchObject({ status: 200, answer: { status: 'committed', address: vault.address } })
    expect((await browser.call('commitWallet', request)).answer).toEqual(first.answer)
    const released = await browser.call('releaseShares', {
      token: walletToken,
      body: { address: vault.address, purpose: 'sign' },
    })
    expect(released).toMatchObject({ status: 200, answer: { recovery_share: null, wallet: first.answer } })
    expect(await browser.call('me', { token })).toMatchObject({
      answer: { linked_accounts: [{ type: 'email' }, { type: 'wallet', connector_type: 'embedded' }] },
    })
  })

  test('accepting the terms says so in the user from then on', async () => {
    const { token } = await browser.login()
    expect(await browser.call('me', { token })).toMatchObject({ answer: { has_accepted_terms: false } })
    for (let turn = 0; turn < 2; turn += 1)
      expect(await browser.call('acceptTerms', { token })).toMatchObject({
        answer: { has_accepted_terms: true },
      })
    expect(await browser.call('me', { token })).toMatchObject({ answer: { has_accepted_terms: true } })
  })
})
