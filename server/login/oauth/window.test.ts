/** The OAuth window: start page, callback, and who may read the result. */

import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { testBrowser } from '../../identity/sessions/testing/browser.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp } from '../../testing/context.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { immediateWaits } from '../../testing/waits.ts'
import { loginWindow } from '../window/capability.ts'
import { navigation } from '../window/testing/browser-window.ts'
import { unseal, windowId } from '../window/window.ts'
import { awaitedResult, toLogIn } from './oauth.ts'
import type { SocialProvider } from './provider.ts'
import { consentAt } from './testing/at-sandbox.ts'
import {
  ada,
  host,
  initBody,
  type Login,
  newLogin,
  type OAuthFixture,
  oauthFixture,
  oauthTables,
  secret,
  startAnswer,
} from './testing/fixture.ts'
import { startProviders } from './testing/sandbox.ts'
import { testWindow } from './testing/window.ts'

const sandbox = await startProviders()

forEachEngine((database) => {
  let context: OAuthFixture['context']
  let server: OAuthFixture['server']
  let app: OAuthFixture['app']
  let browser: OAuthFixture['browser']
  let newBrowser: OAuthFixture['newBrowser']
  let init: OAuthFixture['init']
  let resultFor: OAuthFixture['resultFor']
  let logged: OAuthFixture['logged']
  beforeEach(async () => {
    ;({ app, context, server, browser, newBrowser, init, resultFor, logged } = await oauthFixture(
      database(),
      sandbox,
    ))
  })

  describe('the start page', () => {
    test('sets a cookie for the browser that was sent on, which is sent with cross-site form posts', async () => {
      const login = newLogin()
      await init(login)
      const { status, location, headers } = await testWindow(server).start(login)
      expect(status).toBe(200)
      expect(location).toContain(`${sandbox.url}/oauth/accounts.google.com/`)
      expect(headers.getSetCookie()).toContainEqual(
        expect.stringMatching(
          /^__Host-latchkey-oauth-[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
        ),
      )
    })

    test('reports a failure to the dialog after wrong digits', async () => {
      await setFields(context.db, context.clock, app.id, [['cross_origin_opener_policy', 'same-origin']])
      context.clock.advanceSeconds(5)
      const login = newLogin()
      const body = { ...initBody(login), relay: { ...login.relay, digits: '42' } }
      expect(await browser.call('startOAuth', { body })).toMatchObject({ status: 200 })
      const window = testWindow(server)
      await window.page('oauth', login.handle)
      await window.post(`/oauth/start/${login.handle}`, { digits: '24' })
      expect(await resultFor(login)).toMatchObject({
        answer: { status: 'failed', error: 'oauth_unexpected' },
      })
    })
  })

  describe('a full-page redirect', () => {
    const begin = async () => {
      const login = newLogin()
      const { relay: _, ...body } = initBody(login)
      const { answer } = await browser.call('startOAuth', { body })
      const [, handle = ''] = /\/oauth\/redirect\/(.+)$/.exec(v.parse(startAnswer, answer).url) ?? []
      return handle
    }
    const path = (handle: string) => `/oauth/redirect/${handle}`

    test('redirects to the provider at once, in one browser only', async () => {
      const handle = await begin()
      const window = testWindow(server)
      const { status, location, headers } = await window.leave(handle)
      expect(status).toBe(200)
      expect(location).toContain(`${sandbox.url}/oauth/accounts.google.com/`)
      expect(headers.getSetCookie()).toContainEqual(expect.stringContaining('SameSite=None'))
      expect(await testWindow(server).leave(handle)).toMatchObject({ status: 400, location: null })
    })

    test.each([
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'iframe' },
    ])('can be started by the dialog only: %j', async (said) => {
      const handle = await begin()
      const window = testWindow(server)
      const refused = await window.open(path(handle), { headers: { ...navigation, ...said } })
      expect(refused).toMatchObject({ status: 403, location: null })
      expect(window.cookies.size).toBe(0)
      expect(await window.leave(handle)).toMatchObject({ location: expect.stringContaining(sandbox.url) })
    })

    test('asks for a confirmation with the app’s name and origin if the operator requires it', async () => {
      await setFields(context.db, context.clock, app.id, [['confirm_redirect_logins', true]])
      context.clock.advanceSeconds(5)
      const handle = await begin()
      const window = testWindow(server)
      const { status, html, location } = await window.leave(handle)
      expect({ status, location }).toEqual({ status: 200, location: null })
      for (const text of ['Log in with Google', app.name, host, 'Continue', '<form method="post">']) {
        expect(html).toContain(text)
      }
      expect(window.cookies.size).toBe(0)
      const gone = await window.post(path(handle), {}, { 'sec-fetch-site': 'cross-site' })
      expect(gone).toMatchObject({ status: 403 })
      expect(await window.post(path(handle), {})).toMatchObject({
        location: expect.stringContaining(sandbox.url),
      })
    })

    test('keeps window handles and redirect handles apart', async () => {
      const handle = await begin()
      const window = testWindow(server)
      expect(await window.start({ ...newLogin(), handle })).toMatchObject({ status: 400, location: null })
      const login = newLogin()
      await init(login)
      expect(await window.leave(login.handle)).toMatchObject({ status: 404, location: null })
      expect(await window.start(login)).toMatchObject({ location: expect.stringContaining(sandbox.url) })
    })
  })

  describe('the callback', () => {
    const wayBack = async (window: ReturnType<typeof testWindow>, provider: SocialProvider = 'google') => {
      const login = newLogin()
      await init(login, provider)
      const { location } = await window.start(login)
      return { login, back: await consentAt(location ?? '', ada) }
    }

    test.each(['google', 'apple'] as const)(
      'accepts the %s callback only in the browser that was sent there',
      async (provider) => {
        const window = testWindow(server)
        const { login, back } = await wayBack(window, provider)
        const refused = await testWindow(server).comeBack(back)
        expect(refused).toMatchObject({
          status: 403,
          html: expect.stringContaining('<main data-error="oauth_state_mismatch">'),
        })
        expect(logged()).toMatchObject([
          { provider, code: 'oauth_state_mismatch', why: 'other browser', msg: 'A callback was refused' },
        ])
        const other = testWindow(server)
        await wayBack(other, provider)
        expect(await other.comeBack(back)).toMatchObject({ status: 403 })
        const [name = ''] = window.cookies.keys()
        other.cookies.set(name, [...other.cookies.values()].join(''))
        expect(await other.comeBack(back)).toMatchObject({ status: 403 })
        expect(await window.comeBack(back)).toMatchObject({
          status: 200,
          html: expect.not.stringContaining('data-error'),
        })
        expect(await resultFor(login)).toMatchObject({ answer: { status: 'completed' } })
      },
    )

    // spec L5.21
    test('reports a foreign state as a phishing attempt', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const { state = '' } = back.fields
      const others = [`${state}x`, state.split('.')[0] ?? '', `${secret()}.${state.split('.')[1]}`, '']
      for (const other of others) {
        expect(await window.comeBack({ ...back, fields: { ...back.fields, state: other } })).toMatchObject({
          status: 400,
          html: expect.stringMatching(
            /<main data-error="oauth_state_mismatch">.*Unexpected auth flow\. This may be a phishing attempt\./s,
          ),
        })
      }
      expect(await window.comeBack(back)).toMatchObject({ status: 200 })
    })

    test('reports a callback of another provider as a phishing attempt', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const elsewhere = { ...back, url: back.url.replace('google', 'github') }
      expect(await window.comeBack(elsewhere)).toMatchObject({ status: 400 })
      const nowhere = { ...back, url: back.url.replace('google', 'nobody') }
      expect(await window.comeBack(nowhere)).toMatchObject({ status: 400 })
    })

    test('affects only its own login', async () => {
      const window = testWindow(server)
      const [one, other] = [newLogin(), newLogin()]
      await init(one)
      await init(other)
      const ways = []
      for (const login of [one, other]) {
        const { status, location } = await window.start(login)
        expect(status).toBe(200)
        ways.push(await consentAt(location ?? '', ada))
      }
      for (const back of ways) expect(await window.comeBack(back)).toMatchObject({ status: 200 })
      for (const login of [one, other]) {
        expect(await resultFor(login)).toMatchObject({
          answer: { status: 'completed', authorization_code: expect.stringContaining(`${login.handle}.`) },
        })
      }
    })

    test('is accepted once, and removes its cookie', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const cookies = new Map(window.cookies)
      expect(await window.comeBack(back)).toMatchObject({ status: 200 })
      expect(window.cookies.size).toBe(0)
      for (const [name, value] of cookies) window.cookies.set(name, value)
      expect(await window.comeBack(back)).toMatchObject({
        status: 400,
        html: expect.stringContaining('This login has ended'),
      })
    })

    test('is rejected after ten minutes', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      context.clock.advanceSeconds(600)
      expect(await window.comeBack(back)).toMatchObject({ status: 400 })
    })

    /** Returns the stored answer after a callback with additional parameters. */
    const keptOf = async (
      provider: SocialProvider,
      change: (pairs: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[],
    ) => {
      const window = testWindow(server)
      const { login, back } = await wayBack(window, provider)
      const { pathname } = new URL(back.url)
      const changed = new URLSearchParams(change(Object.entries(back.fields)).map(([...pair]) => pair))
      const answer =
        back.method === 'GET'
          ? await window.open(`${pathname}?${changed}`)
          : await window.open(pathname, {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: changed.toString(),
            })
      const row = await context.db
        .withTables<{ login_windows: { id: string; answer: string | null } }>()
        .selectFrom('login_windows')
        .select('answer')
        .where('id', '=', windowId(login.handle))
        .executeTakeFirstOrThrow()
      const kept = row.answer === null ? null : unseal(context, login.handle, 'answer', row.answer)
      return {
        status: answer.status,
        kept: kept === null ? null : [...new URLSearchParams(kept)],
        sent: back.fields,
      }
    }
    const ways = [
      ['google', 'GET'],
      ['apple', 'POST'],
    ] as const

    test.each(ways)('stores only code and state of the %s callback by %s', async (provider) => {
      const { status, kept, sent } = await keptOf(provider, (pairs) => [
        ...pairs,
        ['user', '{"name":{"firstName":"Ada"}}'],
        ['scope', 'openid email'],
        ['codes', 'x'.repeat(1_000)],
      ])
      expect(status).toBe(200)
      const names = kept?.map(([name]) => name).sort() ?? []
      expect(names.filter((name) => name !== 'iss')).toEqual(['code', 'state'])
      expect(kept).toContainEqual(['code', sent.code])
      expect(kept).toContainEqual(['state', sent.state])
    })

    // A query uses the first of two values, a form the last.
    test.each(ways)('the %s callback by %s reads one value of a repeated field', async (provider, method) => {
      const twice = (name: string) => (pairs: readonly (readonly [string, string])[]) =>
        method === 'GET' ? [[name, 'other'] as const, ...pairs] : [...pairs, [name, 'other'] as const]
      const ofCode = await keptOf(provider, twice('code'))
      expect(ofCode.kept?.filter(([name]) => name === 'code')).toEqual([['code', 'other']])
      expect(await keptOf(provider, twice('state'))).toMatchObject({ status: 400, kept: null })
    })

    test('stores the provider’s response sealed', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      await window.comeBack(back)
      const [row] = await context.db
        .withTables<{ login_windows: Record<string, unknown> }>()
        .selectFrom('login_windows')
        .selectAll()
        .execute()
      expect(JSON.stringify(row)).not.toContain(back.fields.code)
    })
  })

  describe('the result', () => {
    test('is returned only with the secret, in the same browser and app', async () => {
      const login = newLogin()
      await init(login)
      await testWindow(server).go(login, ada)
      const nothing = { status: 404, answer: { code: 'not_found' } }
      expect(await resultFor({ ...login, relaySecret: secret() })).toMatchObject(nothing)
      expect(await resultFor({ ...login, handle: secret() })).toMatchObject(nothing)
      expect(await resultFor(login, newBrowser())).toMatchObject(nothing)
      const otherApp = await testApp(context)
      expect(
        await browser.call('oauthResult', {
          body: { handle: login.handle, secret: login.relaySecret },
          headers: { 'latchkey-app-id': otherApp.id },
        }),
      ).toMatchObject(nothing)
      expect(await resultFor(login)).toMatchObject({ status: 200 })
    })

    test('is awaited by a hundred calls with 21 database reads in total', async () => {
      const waiting = countStatements(context)
      const binding = 'a-binding-of-this-browser'
      const logins = Array.from({ length: 100 }, newLogin)
      const headers = { 'latchkey-login-binding': binding }
      for (const login of logins) {
        expect(await browser.call('startOAuth', { body: initBody(login), headers })).toMatchObject({
          status: 200,
        })
      }
      const result = ({ handle, relaySecret }: Login) =>
        awaitedResult(waiting.context, app, toLogIn(binding), { handle, secret: relaySecret }, immediateWaits)
      expect(await Promise.all(logins.map(result))).toEqual(logins.map(() => ({ status: 'pending' })))
      expect(waiting.statements()).toBe(21)
    })

    test('charges the waiting time to the address, and responds as soon as there is a result', async () => {
      const office = '203.0.113.1'
      const from = testBrowser(server, context, app, office)
      const login = newLogin()
      await init(login, 'google', from)
      const charged = () =>
        context.db.selectFrom('attempts').select('count').where('key', 'like', 'address-waits|%').execute()
      const awaited = resultFor(login, from)
      await testWindow(server).go(login, ada)
      expect(await awaited).toMatchObject({ status: 200, answer: { status: 'completed' } })
      expect(await charged()).toEqual([{ count: 20 }])
      expect(await resultFor(login, from)).toMatchObject({ answer: { status: 'completed' } })
    })

    test('is returned to the latest call, and ends an earlier one without a result', async () => {
      const login = newLogin()
      await init(login)
      const first = resultFor(login)
      // The first call has polled once and waits.
      await new Promise((resolve) => setTimeout(resolve, 100))
      const second = resultFor(login)
      expect(await first).toMatchObject({ status: 200, answer: { status: 'pending' } })
      await testWindow(server).go(login, ada)
      expect(await second).toMatchObject({ answer: { status: 'completed' } })
    })

    test('is not returned for a login without a relay', async () => {
      const login = newLogin()
      const { relay: _, ...body } = initBody(login)
      const { answer } = await browser.call('startOAuth', { body })
      const handle = v.parse(startAnswer, answer).url.split('/').at(-1) ?? ''
      expect(await resultFor({ ...login, handle })).toMatchObject({ status: 404 })
    })

    test('is not overwritten by a reused handle', async () => {
      const login = newLogin()
      await init(login)
      const other = { ...newLogin(), relay: login.relay }
      expect(await init(other, 'google', newBrowser())).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
    })
  })

  test('deletes expired logins', async () => {
    const flows = () =>
      context.db
        .withTables<{ login_windows: { id: string } }>()
        .selectFrom('login_windows')
        .select('id')
        .execute()
    const login = newLogin()
    await init(login)
    context.clock.advanceSeconds(599)
    await cleanUp(database(), context.clock, collectExpiryRules([loginWindow]))
    expect(await flows()).toEqual([{ id: windowId(login.handle) }])
    context.clock.advanceSeconds(1)
    await cleanUp(database(), context.clock, collectExpiryRules([loginWindow]))
    expect(await flows()).toEqual([])
  })
}, oauthTables)
