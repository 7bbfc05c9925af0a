/** OAuth logins over HTTP, in a pop-up and by full-page redirect, with the sandbox's providers. */
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { SocialProvider } from './provider.ts'
import { type Choice, everyProvider } from './testing/at-sandbox.ts'
import {
  ada,
  host,
  initBody,
  newLogin,
  type OAuthFixture,
  oauthFixture,
  oauthTables,
  startAnswer,
} from './testing/fixture.ts'
import { startProviders } from './testing/sandbox.ts'
import { testWindow } from './testing/window.ts'

const sandbox = await startProviders()
afterEach(() => sandbox.setFault('none'))

forDefaultEngine((database) => {
  let context: OAuthFixture['context']
  let app: OAuthFixture['app']
  let server: OAuthFixture['server']
  let handOutTokens: OAuthFixture['handOutTokens']
  let browser: OAuthFixture['browser']
  let init: OAuthFixture['init']
  let resultFor: OAuthFixture['resultFor']
  let codeFor: OAuthFixture['codeFor']
  let authenticate: OAuthFixture['authenticate']
  let loginAs: OAuthFixture['loginAs']
  beforeEach(async () => {
    ;({ context, app, server, handOutTokens, browser, init, resultFor, codeFor, authenticate, loginAs } =
      await oauthFixture(database(), sandbox))
  })

  // spec L6.3
  describe('an app with an allowlist', () => {
    const turnOn = async () => {
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      context.clock.advanceSeconds(5)
    }
    const list = (type: string, identifier: string) =>
      changeAllowlist(context.db, app.id, 'add', type, identifier)
    const rejected = { status: 401, answer: { code: 'allowlist_rejected' } }
    const login = async (provider: SocialProvider) => authenticate(await codeFor(provider))

    test.each(everyProvider)('allows a user whose %s subject is listed', async (provider) => {
      await loginAs(provider)
      const { identifier } = await context.db
        .selectFrom('linked_accounts')
        .select('identifier')
        .executeTakeFirstOrThrow()
      await context.db.deleteFrom('linked_accounts').execute()
      await turnOn()
      await list(`${provider}_oauth`, 'somebody-else')
      expect(await login(provider)).toMatchObject(rejected)
      await list(`${provider}_oauth`, identifier)
      expect(await login(provider)).toMatchObject({ status: 200, answer: { is_new_user: true } })
    })

    test.each(['google', 'github', 'discord', 'linkedin'] as const)(
      'allows a user with a listed address that %s verified',
      async (provider) => {
        await turnOn()
        await list('email', 'ben@example.com')
        expect(await login(provider)).toMatchObject(rejected)
        await list('email', 'ada.lovelace@example.com')
        expect(await login(provider)).toMatchObject({ status: 200 })
      },
    )

    test('does not allow an unverified Spotify address', async () => {
      await turnOn()
      await list('email', 'ada.lovelace@example.com')
      expect(await login('spotify')).toMatchObject(rejected)
      expect(await login('google')).toMatchObject({ status: 200 })
    })

    test('allows all accounts of a user with one listed account, and of no other user', async () => {
      const { token } = await browser.login('ada@example.com')
      const code = await codeFor('twitter')
      expect(await browser.call('linkOAuth', { token, body: code })).toMatchObject({ status: 200 })
      await loginAs('discord')
      await turnOn()
      expect(await login('twitter')).toMatchObject(rejected)
      await list('email', 'ada@example.com')
      expect(await login('twitter')).toMatchObject({ status: 200, answer: { is_new_user: false } })
      expect(await login('discord')).toMatchObject(rejected)
    })
  })

  describe('a login in a pop-up', () => {
    // spec L1.8, L7.30, L7.37
    test.each(everyProvider)(
      'creates a user at the first login with %s and finds the user again',
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
    test('returns the provider’s tokens if requested, and stores them sealed only', async () => {
      await handOutTokens(true)
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

    test.each([
      ['the app hands out none', false, { with_tokens: true }],
      ['nobody asks for them', true, {}],
      ['they are declined', true, { with_tokens: false }],
    ])('returns no tokens if %s', async (_why, isHandedOut, asked) => {
      await handOutTokens(isHandedOut)
      const { status, answer } = await authenticate({ ...(await codeFor('google')), ...asked })
      expect(status).toBe(200)
      expect(answer).not.toHaveProperty('oauth_tokens')
      const kept = await context.db.selectFrom('request_replays').select('kept').execute()
      expect(JSON.stringify(kept)).toContain('\\"tokens\\":null')
    })

    test('may open its window before the init call arrives', async () => {
      const login = newLogin()
      const window = testWindow(server)
      const page = await window.page('oauth', login.handle)
      expect(page.status).toBe(200)
      expect(await init(login)).toMatchObject({
        status: 200,
        answer: { url: `http://dialog.localhost:4000/oauth/start/${login.handle}` },
      })
      const proof = { signature: window.signed(login, page) }
      expect(await window.post(`/oauth/start/${login.handle}`, proof)).toMatchObject({
        status: 200,
        location: expect.stringContaining(`${sandbox.url}/oauth/accounts.google.com/`),
      })
    })

    test('reports a pending result while the user is at the provider', async () => {
      const login = newLogin()
      await init(login)
      const waiting = resultFor(login)
      await testWindow(server).go(login, ada)
      expect(await waiting).toMatchObject({
        status: 200,
        answer: { status: 'completed', state_code: login.state },
      })
    })

    test('messages only the window that opened it', async () => {
      const login = newLogin()
      await init(login)
      const { status, html, headers } = await testWindow(server).go(login, ada)
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

    test('reports a denied login immediately', async () => {
      const login = newLogin()
      await init(login)
      const { html } = await testWindow(server).go(login, { denied: 'yes' })
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
      '%s with the trial %s is refused with %d %s',
      async (provider, trial, status, code, error) => {
        const redeem = await codeFor(provider, { trial })
        expect(await authenticate(redeem)).toMatchObject({ status, answer: { code, error } })
        expect(await context.db.selectFrom('users').select('id').execute()).toEqual([])
      },
    )

    // spec L8.41
    test('reports oauth_unexpected if the provider fails', async () => {
      const code = await codeFor('spotify')
      await sandbox.setFault('failing')
      expect(await authenticate(code)).toMatchObject({
        status: 400,
        answer: { code: 'oauth_unexpected', error: 'Something went wrong. Please try again.' },
      })
    })

    test('succeeds without an e-mail address', async () => {
      expect(await loginAs('google', { without_email: 'Cleo Noether' })).toMatchObject({
        user: { linked_accounts: [{ type: 'google_oauth', email: null, name: 'Cleo Noether' }] },
      })
    })

    test('never finds a user by the provider’s e-mail address', async () => {
      const { user } = await browser.login('ada.lovelace@example.com')
      const google = await loginAs('google')
      expect(google).toMatchObject({ user: { linked_accounts: [{ email: 'ada.lovelace@example.com' }] } })
      expect(google.user.id).not.toBe(user.id)
      expect((await loginAs('github')).user.id).not.toBe(google.user.id)
    })
  })

  describe('a login by full-page redirect', () => {
    const redirected = async (choice: Choice, redirectTo = `${host}/path?kept=1`) => {
      const login = newLogin()
      const { relay: _, ...body } = initBody(login, 'apple', redirectTo)
      const { answer } = await browser.call('startOAuth', { body })
      const { url } = v.parse(startAnswer, answer)
      expect(url).toMatch(/^http:\/\/dialog\.localhost:4000\/oauth\/redirect\/[\w-]{43}$/)
      const { status, location } = await testWindow(server).leaveAndReturn(
        url.split('/').at(-1) ?? '',
        choice,
      )
      expect(status).toBe(303)
      return { login, url: new URL(location ?? '') }
    }

    // spec L2.8
    test('returns to the host page with three parameters', async () => {
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
    test('returns "undefined" for a denied login', async () => {
      const { url } = await redirected({ denied: 'yes' })
      expect(url.searchParams.get('latchkey_oauth_code')).toBe('undefined')
    })

    test('returns "error" if the provider failed', async () => {
      await sandbox.setFault('wrong-issuer')
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
    ])('does not redirect to %s', async (redirectTo) => {
      const good = await browser.call('startOAuth', { body: initBody(newLogin()) })
      expect(good).toMatchObject({ status: 200 })
      const body = initBody(newLogin(), 'google', redirectTo)
      expect(await browser.call('startOAuth', { body })).toMatchObject({
        status: 403,
        answer: { code: 'invalid_origin' },
      })
    })

    test('may return to a standalone dialog', async () => {
      const body = initBody(newLogin(), 'google', `http://dialog.localhost:4000/apps/${app.id}/dialog`)
      expect(await browser.call('startOAuth', { body })).toMatchObject({ status: 200 })
    })

    test('may return to the authorize page of a cross-app provider', async () => {
      const redirectTo = `http://dialog.localhost:4000/apps/${app.id}/authorize#state`
      const begin = () => browser.call('startOAuth', { body: initBody(newLogin(), 'google', redirectTo) })
      expect(await begin()).toMatchObject({ status: 403, answer: { code: 'invalid_origin' } })
      await setFields(context.db, context.clock, app.id, [['cross_app_provider', true]])
      context.clock.advanceSeconds(2)
      expect(await begin()).toMatchObject({ status: 200 })
    })
  })
}, oauthTables)
