/** Login with OAuth over HTTP, with the providers as the sandbox plays them. */
import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import { setFields } from '../../apps/manage.ts'
import { capabilities } from '../../capabilities.ts'
import { environmentOf, migrationsOf } from '../../capability.ts'
import { cleanUp } from '../../db/cleanup.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import { sessionAnswer, type TestBrowser, testBrowser, testServer } from '../../sessions/testing/browser.ts'
import { createTokenVerifier } from '../../sessions/verifier.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { programs } from '../../testing/program.ts'
import { startSandbox } from '../../testing/sandbox.ts'
import { oauth } from './capability.ts'
import { oauthSettingsOf } from './environment.ts'
import { createProviderClients, providerClients } from './exchange.ts'
import { awaitedFlow } from './oauth.ts'
import type { SocialProvider } from './provider.ts'
import { type Choice, configAtSandbox, consentAt, everyProvider } from './testing/at-sandbox.ts'
import { testWindow } from './testing/window.ts'

const { run, killAll } = programs()
let sandbox = ''
beforeAll(async () => {
  sandbox = await startSandbox(run)
})
afterAll(killAll)
afterEach(() => setFault('none'))

const setFault = (fault: string) =>
  fetch(`${sandbox}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oauth: fault }),
  })
const exchanges = async (): Promise<number> => (await (await fetch(`${sandbox}/api/oauth`)).json()).exchanges

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
const secret = () => randomBytes(36).toString('base64url')
const host = 'http://demo.localhost:4010'
const ada = { person: 'Ada Lovelace' }
const startAnswer = v.object({ url: v.string() })
const result = v.object({ authorization_code: v.string(), state_code: v.string() })

/** What a dialog makes for one login. */
const newLogin = () => ({ handle: secret(), relaySecret: secret(), state: secret(), verifier: secret() })
type Login = ReturnType<typeof newLogin>

forEachEngine(
  (database) => {
    let context: TestContext
    let app: App
    let server: Server
    let browser: TestBrowser
    beforeEach(async () => {
      context = await testContext(database(), {
        config: configAtSandbox(sandbox, {}, environmentOf(capabilities)),
        verifyToken: (own) => (token) => createTokenVerifier(own())(token),
      })
      providerClients.put(context.ports, createProviderClients(oauthSettingsOf(context.config)))
      app = await testApp(context)
      await setFields(
        context.db,
        context.clock,
        app.id,
        everyProvider.map((provider) => [`${provider}_oauth`, true] as const),
      )
      context.clock.advanceSeconds(5)
      server = testServer(context)
      browser = testBrowser(server, context, app)
    })

    const initBody = (login: Login, provider: SocialProvider = 'google', redirectTo = `${host}/`) => ({
      provider,
      redirect_to: redirectTo,
      code_challenge: hash(login.verifier),
      state_code: login.state,
      relay: { handle: login.handle, challenge: hash(login.relaySecret) },
    })
    const init = (login: Login, provider?: SocialProvider, from = browser) =>
      from.call('startOAuth', { body: initBody(login, provider) })
    const resultFor = (login: Login, from = browser) =>
      from.call('oauthResult', { body: { handle: login.handle, secret: login.relaySecret } })
    /** Up to the code, as a dialog with a pop-up does it. */
    const codeFor = async (provider: SocialProvider, choice: Choice = ada, from = browser) => {
      const login = newLogin()
      expect(await init(login, provider, from)).toMatchObject({ status: 200 })
      await testWindow(server).go(login.handle, choice)
      const { answer } = await resultFor(login, from)
      const { authorization_code, state_code } = v.parse(result, answer)
      return { authorization_code, state_code, code_verifier: login.verifier }
    }
    const authenticate = (body: object, from = browser, requestId?: string) =>
      from.call('loginWithOAuth', { body, ...(requestId !== undefined && { requestId }) })
    const loginAs = async (provider: SocialProvider, choice: Choice = ada, from = browser) => {
      const { answer } = await authenticate(await codeFor(provider, choice, from), from)
      return v.parse(sessionAnswer, answer)
    }
    const refusedCode = {
      status: 422,
      answer: { code: 'invalid_credentials', error: 'Something went wrong. Try again.' },
    }

    describe('a login in a pop-up', () => {
      // spec L1.8, L7.30, L7.37
      test.each(everyProvider)(
        'at %s makes a user the first time, and finds the same one again',
        async (provider) => {
          const first = await authenticate(await codeFor(provider))
          expect(first).toMatchObject({
            status: 200,
            answer: { is_new_user: true, user: { linked_accounts: [{ type: `${provider}_oauth` }] } },
          })
          expect(first.answer).not.toHaveProperty('oauth_tokens')
          const again = await authenticate(await codeFor(provider))
          expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
          expect(v.parse(sessionAnswer, again.answer).user.id).toBe(
            v.parse(sessionAnswer, first.answer).user.id,
          )
        },
      )

      // spec L3.7, L3.8
      test('hands out the tokens of the provider where they are asked for, and keeps none that can be read', async () => {
        const code = await codeFor('google')
        const { answer } = await authenticate({ ...code, with_tokens: true })
        const { oauth_tokens } = v.parse(
          v.object({ oauth_tokens: v.looseObject({ access_token: v.string() }) }),
          answer,
        )
        expect(oauth_tokens).toEqual({
          provider: 'google',
          access_token: expect.any(String),
          access_token_expires_in_seconds: 3_600,
          refresh_token: null,
          refresh_token_expires_in_seconds: null,
          scopes: ['openid', 'email', 'profile'],
        })
        const kept = await context.db.selectFrom('request_replays').select('kept').execute()
        expect(JSON.stringify(kept)).not.toContain(oauth_tokens.access_token)
      })

      test('may open its window before the call that it waits for', async () => {
        const login = newLogin()
        const window = testWindow(server)
        const opened = window.start(login.handle)
        expect(await init(login)).toMatchObject({
          status: 200,
          answer: { url: `http://dialog.localhost:4000/oauth/start/${login.handle}` },
        })
        expect(await opened).toMatchObject({
          status: 303,
          location: expect.stringContaining(`${sandbox}/oauth/accounts.google.com/`),
        })
      })

      test('is asked for while its person is still at the provider', async () => {
        const login = newLogin()
        await init(login)
        const waiting = resultFor(login)
        await testWindow(server).go(login.handle, ada)
        expect(await waiting).toMatchObject({
          status: 200,
          answer: { status: 'completed', state_code: login.state },
        })
      })

      test('tells the window that opened it, and it alone', async () => {
        const login = newLogin()
        await init(login)
        const { status, html, headers } = await testWindow(server).go(login.handle, ada)
        expect(status).toBe(200)
        expect(html).toContain('Google has answered')
        expect(html).toContain('LATCHKEY_OAUTH_RESPONSE')
        expect(html).toContain(login.state)
        expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
        const policy = headers.get('content-security-policy')
        for (const directive of [
          "default-src 'none'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "form-action 'none'",
        ]) {
          expect(policy).toContain(directive)
        }
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        const script = await testWindow(server).open('/oauth/window.js')
        expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
        expect(script.html).toContain('postMessage(JSON.parse(message), window.location.origin)')
      })

      test('that was denied says so at once', async () => {
        const login = newLogin()
        await init(login)
        const { html } = await testWindow(server).go(login.handle, { denied: 'yes' })
        expect(html).toContain('LATCHKEY_OAUTH_ERROR')
        expect(html).toContain('oauth_user_denied')
        expect(await resultFor(login)).toMatchObject({
          status: 200,
          answer: { status: 'failed', error: 'oauth_user_denied' },
        })
      })

      // spec L8.39, L8.36, L8.38
      test.each([
        [
          'github',
          'suspended',
          400,
          'oauth_account_suspended',
          'Your GitHub account is suspended. Please try another login method.',
        ],
        ['discord', 'expired-code', 422, 'invalid_credentials', 'Something went wrong. Try again.'],
        [
          'tiktok',
          'rate-limited',
          429,
          'too_many_requests',
          'Request limit reached for TikTok. Please wait a moment and try again.',
        ],
      ] as const)(
        'at %s with the trial %s is refused with %d %s',
        async (provider, trial, status, code, error) => {
          const redeem = await codeFor(provider, { trial })
          expect(await authenticate(redeem)).toMatchObject({ status, answer: { code, error } })
          expect(await context.db.selectFrom('users').select('id').execute()).toEqual([])
        },
      )

      // spec L8.41
      test('whose provider fails is refused with oauth_unexpected', async () => {
        const code = await codeFor('spotify')
        await setFault('failing')
        expect(await authenticate(code)).toMatchObject({
          status: 400,
          answer: { code: 'oauth_unexpected', error: 'Something went wrong. Please try again.' },
        })
      })

      test('without an e-mail is a login all the same', async () => {
        expect(await loginAs('google', { without_email: 'Cleo Noether' })).toMatchObject({
          user: { linked_accounts: [{ type: 'google_oauth', email: null, name: 'Cleo Noether' }] },
        })
      })

      test('never finds a user by the address that the provider names', async () => {
        const { user } = await browser.login('ada.lovelace@example.com')
        const google = await loginAs('google')
        expect(google).toMatchObject({ user: { linked_accounts: [{ email: 'ada.lovelace@example.com' }] } })
        expect(google.user.id).not.toBe(user.id)
        expect((await loginAs('github')).user.id).not.toBe(google.user.id)
      })
    })

    describe('a login in the top window', () => {
      const redirected = async (choice: Choice, redirectTo = `${host}/path?kept=1`) => {
        const login = newLogin()
        const { relay: _, ...body } = initBody(login, 'apple', redirectTo)
        const { answer } = await browser.call('startOAuth', { body })
        const { url } = v.parse(startAnswer, answer)
        expect(url).toMatch(/^http:\/\/dialog\.localhost:4000\/oauth\/start\/[\w-]{43}$/)
        const { status, location } = await testWindow(server).go(url.split('/').at(-1) ?? '', choice)
        expect(status).toBe(303)
        return { login, url: new URL(location ?? '') }
      }

      // spec L2.8
      test('comes back to the page of the host, with three parameters', async () => {
        const { login, url } = await redirected(ada)
        expect(url.origin + url.pathname).toBe('http://demo.localhost:4010/path')
        expect([...url.searchParams.keys()]).toEqual([
          'kept',
          'latchkey_oauth_code',
          'latchkey_oauth_state',
          'latchkey_oauth_provider',
        ])
        expect(url.searchParams.get('latchkey_oauth_state')).toBe(login.state)
        expect(url.searchParams.get('latchkey_oauth_provider')).toBe('apple')
        const code = {
          authorization_code: url.searchParams.get('latchkey_oauth_code'),
          state_code: login.state,
          code_verifier: login.verifier,
        }
        expect(await authenticate(code)).toMatchObject({ status: 200, answer: { is_new_user: true } })
      })

      // spec L8.37
      test('that was denied says "undefined"', async () => {
        const { url } = await redirected({ denied: 'yes' })
        expect(url.searchParams.get('latchkey_oauth_code')).toBe('undefined')
      })

      test('whose provider refused says "error"', async () => {
        await setFault('wrong-issuer')
        const { url } = await redirected(ada)
        expect(url.searchParams.get('latchkey_oauth_code')).toBe('error')
      })

      test.each([
        'http://stranger.localhost:4010/',
        'http://demo.localhost:4010.stranger.example/',
        'http://demo.localhost:4010@stranger.example/',
        'http://demo.localhost:4011/',
        'https://demo.localhost:4010/',
        'http://user@demo.localhost:4010/',
        'javascript:alert(1)',
        'http://dialog.localhost:4000/apps/another/dialog',
        'nonsense',
      ])('is not sent to %s', async (redirectTo) => {
        const good = await browser.call('startOAuth', { body: initBody(newLogin()) })
        expect(good).toMatchObject({ status: 200 })
        const body = initBody(newLogin(), 'google', redirectTo)
        expect(await browser.call('startOAuth', { body })).toMatchObject({
          status: 403,
          answer: { code: 'invalid_origin' },
        })
      })

      test('may come back to the dialog in a window of its own', async () => {
        const body = initBody(newLogin(), 'google', `http://dialog.localhost:4000/apps/${app.id}/dialog`)
        expect(await browser.call('startOAuth', { body })).toMatchObject({ status: 200 })
      })
    })

    describe('the start page', () => {
      test.each(['cross-site', 'same-site', 'none'])('is not opened from %s', async (site) => {
        const login = newLogin()
        await init(login)
        const window = testWindow(server)
        expect(await window.start(login.handle, site)).toMatchObject({ status: 403, location: null })
        expect(window.cookies.size).toBe(0)
        expect(await window.start(login.handle)).toMatchObject({ status: 303 })
      })

      test('sends one browser to the provider, once', async () => {
        const login = newLogin()
        await init(login)
        const [first, second] = await Promise.all([
          testWindow(server).start(login.handle),
          testWindow(server).start(login.handle),
        ])
        expect([first.status, second.status].sort()).toEqual([303, 400])
      })

      test('gives its browser a cookie that comes back with a form of another site', async () => {
        const login = newLogin()
        await init(login)
        const { headers } = await testWindow(server).start(login.handle)
        expect(headers.get('set-cookie')).toMatch(
          /^__Host-latchkey-oauth-[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
        )
      })

      test('waits no longer than it may for a login that nobody begins', async () => {
        expect(await awaitedFlow(context, secret(), 50)).toBeUndefined()
      })

      test('after ten minutes is over', async () => {
        const login = newLogin()
        await init(login)
        context.clock.advanceSeconds(600)
        expect(await awaitedFlow(context, login.handle, 0)).toBeUndefined()
      })
    })

    describe('the callback', () => {
      const wayBack = async (window: ReturnType<typeof testWindow>, provider: SocialProvider = 'google') => {
        const login = newLogin()
        await init(login, provider)
        const { location } = await window.start(login.handle)
        return { login, back: await consentAt(location ?? '', ada) }
      }

      test.each(['google', 'apple'] as const)(
        'of %s is for the browser that was sent there',
        async (provider) => {
          const window = testWindow(server)
          const { login, back } = await wayBack(window, provider)
          expect(await testWindow(server).comeBack(back)).toMatchObject({ status: 403 })
          const other = testWindow(server)
          await wayBack(other, provider)
          expect(await other.comeBack(back)).toMatchObject({ status: 403 })
          const [name = ''] = window.cookies.keys()
          other.cookies.set(name, [...other.cookies.values()].join(''))
          expect(await other.comeBack(back)).toMatchObject({ status: 403 })
          expect(await window.comeBack(back)).toMatchObject({ status: 200 })
          expect(await resultFor(login)).toMatchObject({ answer: { status: 'completed' } })
        },
      )

      // spec L5.21
      test('with a state that is none of ours is a phishing attempt', async () => {
        const window = testWindow(server)
        const { back } = await wayBack(window)
        const { state = '' } = back.fields
        const others = [`${state}x`, state.split('.')[0] ?? '', `${secret()}.${state.split('.')[1]}`, '']
        for (const other of others) {
          expect(await window.comeBack({ ...back, fields: { ...back.fields, state: other } })).toMatchObject({
            status: 400,
            html: expect.stringContaining('Unexpected auth flow. This may be a phishing attempt.'),
          })
        }
        expect(await window.comeBack(back)).toMatchObject({ status: 200 })
      })

      test('of another provider is a phishing attempt', async () => {
        const window = testWindow(server)
        const { back } = await wayBack(window)
        const elsewhere = { ...back, url: back.url.replace('google', 'github') }
        expect(await window.comeBack(elsewhere)).toMatchObject({ status: 400 })
        const nowhere = { ...back, url: back.url.replace('google', 'nobody') }
        expect(await window.comeBack(nowhere)).toMatchObject({ status: 400 })
      })

      test('counts once, and drops its cookie', async () => {
        const window = testWindow(server)
        const { back } = await wayBack(window)
        const cookies = new Map(window.cookies)
        expect(await window.comeBack(back)).toMatchObject({ status: 200 })
        expect(window.cookies.size).toBe(0)
        for (const [name, value] of cookies) window.cookies.set(name, value)
        expect(await window.comeBack(back)).toMatchObject({
          status: 400,
          html: expect.stringContaining('This login is over'),
        })
      })

      test('after ten minutes is over', async () => {
        const window = testWindow(server)
        const { back } = await wayBack(window)
        context.clock.advanceSeconds(600)
        expect(await window.comeBack(back)).toMatchObject({ status: 400 })
      })

      test('keeps what the provider said sealed', async () => {
        const window = testWindow(server)
        const { back } = await wayBack(window)
        await window.comeBack(back)
        const [row] = await context.db
          .withTables<{ oauth_flows: Record<string, unknown> }>()
          .selectFrom('oauth_flows')
          .selectAll()
          .execute()
        expect(JSON.stringify(row)).not.toContain(back.fields.code)
      })
    })

    describe('the result', () => {
      test('is for whoever has the secret, in the browser that began, in the same app', async () => {
        const login = newLogin()
        await init(login)
        await testWindow(server).go(login.handle, ada)
        const nothing = { status: 404, answer: { code: 'not_found' } }
        expect(await resultFor({ ...login, relaySecret: secret() })).toMatchObject(nothing)
        expect(await resultFor({ ...login, handle: secret() })).toMatchObject(nothing)
        expect(await resultFor(login, testBrowser(server, context, app))).toMatchObject(nothing)
        const otherApp = await testApp(context)
        expect(
          await browser.call('oauthResult', {
            body: { handle: login.handle, secret: login.relaySecret },
            headers: { 'latchkey-app-id': otherApp.id },
          }),
        ).toMatchObject(nothing)
        expect(await resultFor(login)).toMatchObject({ status: 200 })
      })

      test('of a login without a relay is for nobody', async () => {
        const login = newLogin()
        const { relay: _, ...body } = initBody(login)
        const { answer } = await browser.call('startOAuth', { body })
        const handle = v.parse(startAnswer, answer).url.split('/').at(-1) ?? ''
        expect(await resultFor({ ...login, handle })).toMatchObject({ status: 404 })
      })

      test('of a handle that was used is not overwritten', async () => {
        const login = newLogin()
        await init(login)
        const other = { ...newLogin(), handle: login.handle }
        expect(await init(other, 'google', testBrowser(server, context, app))).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
      })
    })

    describe('the code', () => {
      test('is worth something with its state, its verifier, its browser and its app, and nothing else', async () => {
        const code = await codeFor('google')
        expect(await authenticate({ ...code, state_code: secret() })).toMatchObject({
          status: 400,
          answer: {
            code: 'pkce_state_code_mismatch',
            error: 'Unexpected auth flow. This may be a phishing attempt.',
          },
        })
        expect(await authenticate({ ...code, code_verifier: secret() })).toMatchObject({
          status: 400,
          answer: { code: 'invalid_pkce_parameters' },
        })
        expect(await authenticate(code, testBrowser(server, context, app))).toMatchObject(refusedCode)
        expect(
          await authenticate({ ...code, authorization_code: `${code.authorization_code}x` }),
        ).toMatchObject(refusedCode)
        const otherApp = await testApp(context)
        await setFields(context.db, context.clock, otherApp.id, [['google_oauth', true]])
        expect(
          await browser.call('loginWithOAuth', { body: code, headers: { 'latchkey-app-id': otherApp.id } }),
        ).toMatchObject(refusedCode)
        expect(await authenticate(code)).toMatchObject({ status: 200 })
      })

      // The pair of RFC 7636, appendix B
      test('goes with the verifier of its challenge, as RFC 7636 writes them', async () => {
        const login = { ...newLogin(), verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }
        const body = { ...initBody(login), code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }
        expect(await browser.call('startOAuth', { body })).toMatchObject({ status: 200 })
        await testWindow(server).go(login.handle, ada)
        const { authorization_code, state_code } = v.parse(result, (await resultFor(login)).answer)
        expect(
          await authenticate({ authorization_code, state_code, code_verifier: login.verifier }),
        ).toMatchObject({ status: 200 })
      })

      test('is good once, also for several who bring it at once', async () => {
        const code = await codeFor('google')
        const before = await exchanges()
        const answers = await Promise.all([1, 2, 3, 4].map(() => authenticate(code)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
        expect(await exchanges()).toBe(before + 1)
        expect(await authenticate(code)).toMatchObject(refusedCode)
      })

      test('is good for ten minutes', async () => {
        const code = await codeFor('google')
        context.clock.advanceSeconds(600)
        expect(await authenticate(code)).toMatchObject(refusedCode)
      })

      test('asked about again after a lost answer gives the same session and asks the provider once', async () => {
        const code = await codeFor('google')
        const before = await exchanges()
        const first = await authenticate({ ...code, with_tokens: true }, browser, 'login-once')
        const again = await authenticate({ ...code, with_tokens: true }, browser, 'login-once')
        const tokens = (answer: unknown) =>
          v.parse(v.object({ oauth_tokens: v.unknown() }), answer).oauth_tokens
        expect(v.parse(sessionAnswer, again.answer).refresh_token).toBe(
          v.parse(sessionAnswer, first.answer).refresh_token,
        )
        expect(tokens(again.answer)).toEqual(tokens(first.answer))
        expect(await exchanges()).toBe(before + 1)
      })

      test('whose provider was cut off is unknown, and is not asked about again', async () => {
        const code = await codeFor('discord')
        const before = await exchanges()
        const settings = oauthSettingsOf(context.config)
        const unreachable = { ...settings, providersUrl: 'http://127.0.0.1:1/oauth' }
        providerClients.put(context.ports, createProviderClients(unreachable))
        const unknown = { status: 400, answer: { code: 'outcome_unknown' } }
        expect(await authenticate(code, browser, 'cut-off-once')).toMatchObject(unknown)
        providerClients.put(context.ports, createProviderClients(settings))
        expect(await authenticate(code, browser, 'cut-off-once')).toMatchObject(unknown)
        expect(await authenticate(code)).toMatchObject(refusedCode)
        expect(await exchanges()).toBe(before)
        expect(await authenticate(await codeFor('discord'))).toMatchObject({ status: 200 })
      })
    })

    describe('where it is not allowed', () => {
      const refused = { status: 403, answer: { code: 'disallowed_login_method' } }

      test('by the app, neither the beginning nor the end is', async () => {
        const code = await codeFor('google')
        await setFields(context.db, context.clock, app.id, [['google_oauth', false]])
        context.clock.advanceSeconds(5)
        expect(await init(newLogin())).toMatchObject(refused)
        expect(await init(newLogin(), 'github')).toMatchObject({ status: 200 })
        expect(await authenticate(code)).toMatchObject(refused)
      })

      test('because the operator is no client of the provider, the variable is named', async () => {
        const { clients, providersUrl } = oauthSettingsOf(context.config)
        const { google: _, ...others } = clients
        providerClients.put(context.ports, createProviderClients({ clients: others, providersUrl }))
        expect(await init(newLogin())).toMatchObject({
          status: 403,
          answer: { code: 'disallowed_login_method', details: { setting: 'OAUTH_GOOGLE' } },
        })
      })
    })

    describe('linking', () => {
      const link = async (session: { readonly token: string }, from = browser, choice: Choice = ada) =>
        from.call('linkOAuth', { token: session.token, body: await codeFor('google', choice, from) })

      // spec L1.8
      test('adds the account to the user, who then logs in with it', async () => {
        const session = await browser.login()
        context.clock.advanceSeconds(1)
        expect(await link(session)).toMatchObject({
          status: 200,
          answer: { linked_accounts: [{ type: 'email' }, { type: 'google_oauth' }] },
        })
        expect((await loginAs('google')).user.id).toBe(session.user.id)
      })

      test('hands out tokens where they are asked for', async () => {
        const { token } = await browser.login()
        const body = { ...(await codeFor('google')), with_tokens: true }
        expect(await browser.call('linkOAuth', { token, body })).toMatchObject({
          status: 200,
          answer: { id: expect.any(String), oauth_tokens: { provider: 'google' } },
        })
      })

      // spec L8.35, L8.40
      test('an account of somebody else, and a second one of the type, is refused', async () => {
        await loginAs('google')
        const session = await browser.login()
        expect(await link(session)).toMatchObject({
          status: 400,
          answer: {
            code: 'linked_to_another_user',
            error: 'This account has already been linked to another user.',
          },
        })
        expect(await link(session, browser, { person: 'Ben Okri' })).toMatchObject({ status: 200 })
        expect(await link(session, browser, { person: 'Carla Diaz' })).toMatchObject({
          status: 400,
          answer: { code: 'cannot_link_more_of_type' },
        })
      })

      test('of one account by two users at once: one wins, and nothing is half made', async () => {
        const second = testBrowser(server, context, app)
        const sessions = [
          await browser.login('ada@example.com'),
          await second.login('ben@example.com'),
        ] as const
        const codes = [await codeFor('google', ada, browser), await codeFor('google', ada, second)] as const
        const answers = await Promise.all([
          browser.call('linkOAuth', { token: sessions[0].token, body: codes[0] }),
          second.call('linkOAuth', { token: sessions[1].token, body: codes[1] }),
        ])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
        expect(answers.find(({ status }) => status === 400)).toMatchObject({
          answer: { code: 'linked_to_another_user' },
        })
        const rows = await context.db.selectFrom('linked_accounts').select(['type', 'user_id']).execute()
        expect(rows.map(({ type }) => type).sort()).toEqual(['email', 'email', 'google_oauth'])
      })

      test('of an account by a user while somebody logs in with it: it is of one of them', async () => {
        const second = testBrowser(server, context, app)
        const session = await browser.login('ada@example.com')
        const codes = [await codeFor('google', ada, browser), await codeFor('google', ada, second)] as const
        const [linked, login] = await Promise.all([
          browser.call('linkOAuth', { token: session.token, body: codes[0] }),
          authenticate(codes[1], second),
        ])
        expect(login.status).toBe(200)
        const { user } = v.parse(sessionAnswer, login.answer)
        expect(user.id === session.user.id).toBe(linked.status === 200)
        const rows = await context.db.selectFrom('linked_accounts').select('type').execute()
        expect(rows.filter(({ type }) => type === 'google_oauth')).toHaveLength(1)
      })

      test('needs the session to be alive', async () => {
        const { token, refresh_token } = await browser.login()
        const body = await codeFor('google')
        await browser.call('logout', { body: { refresh_token } })
        expect(await browser.call('linkOAuth', { token, body })).toMatchObject({ status: 401 })
      })
    })

    describe('unlinking', () => {
      const unlink = (token: string, subject: string, from = browser, requestId?: string) =>
        from.call('unlinkOAuth', {
          token,
          body: { provider: 'google', subject },
          ...(requestId !== undefined && { requestId }),
        })
      const subjectOf = (session: { readonly user: unknown }) =>
        v.parse(
          v.object({ linked_accounts: v.array(v.looseObject({ subject: v.optional(v.string()) })) }),
          session.user,
        ).linked_accounts[0]?.subject ?? ''

      // spec L7.14
      test('takes the account away, which then is anybody’s', async () => {
        const session = await loginAs('google')
        const code = await browser.codeFor('ada@example.com')
        await browser.call('linkEmail', { token: session.token, body: { email: 'ada@example.com', code } })
        const subject = subjectOf(session)
        const answer = { linked_accounts: [{ type: 'email' }] }
        expect(await unlink(session.token, subject, browser, 'unlink-once')).toMatchObject({
          status: 200,
          answer,
        })
        expect(await unlink(session.token, subject, browser, 'unlink-once')).toMatchObject({
          status: 200,
          answer,
        })
        expect(await unlink(session.token, subject)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
        expect((await loginAs('google')).user.id).not.toBe(session.user.id)
      })

      test('leaves the last account, and that of somebody else', async () => {
        const session = await loginAs('google')
        const subject = subjectOf(session)
        expect(await unlink(session.token, subject)).toMatchObject({
          status: 400,
          answer: { code: 'cannot_unlink_sole_account' },
        })
        const second = testBrowser(server, context, app)
        const stranger = await second.login('ben@example.com')
        expect(await unlink(stranger.token, subject, second)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
        expect((await loginAs('google')).user.id).toBe(session.user.id)
      })

      test('of two at once leaves one', async () => {
        const session = await loginAs('google')
        const { token } = session
        await browser.call('linkOAuth', { token, body: await codeFor('github') })
        const github = await context.db
          .selectFrom('linked_accounts')
          .select('identifier')
          .where('type', '=', 'github_oauth')
          .executeTakeFirstOrThrow()
        const answers = await Promise.all([
          unlink(token, subjectOf(session)),
          browser.call('unlinkOAuth', { token, body: { provider: 'github', subject: github.identifier } }),
        ])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
        expect(await context.db.selectFrom('linked_accounts').select('id').execute()).toHaveLength(1)
      })
    })

    test('what is over is cleaned up', async () => {
      const flows = () =>
        context.db
          .withTables<{ oauth_flows: { handle: string } }>()
          .selectFrom('oauth_flows')
          .select('handle')
          .execute()
      const login = newLogin()
      await init(login)
      context.clock.advanceSeconds(599)
      await cleanUp(database(), context.clock, oauth.expiries ?? [])
      expect(await flows()).toEqual([{ handle: login.handle }])
      context.clock.advanceSeconds(1)
      await cleanUp(database(), context.clock, oauth.expiries ?? [])
      expect(await flows()).toEqual([])
    })
  },
  { migrations: migrationsOf([oauth]), tables: ['oauth_flows'] },
)
