/** Authorization codes of OAuth logins, and disallowed logins. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../../identity/apps/manage.ts'
import { sessionAnswer } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { testApp } from '../../../testing/context.ts'
import { readOAuthSettings } from '../environment.ts'
import { consentAt } from '../testing/at-sandbox.ts'
import {
  ada,
  initBody,
  newLogin,
  type OAuthFixture,
  oauthFixture,
  oauthTables,
  refusedCode,
  resultAnswer,
  secret,
} from '../testing/fixture.ts'
import { startProviders } from '../testing/sandbox.ts'
import { testWindow } from '../testing/window.ts'
import { createProviderClients, providerClients } from './exchange.ts'

const sandbox = await startProviders()

forEachEngine((database) => {
  let context: OAuthFixture['context']
  let app: OAuthFixture['app']
  let server: OAuthFixture['server']
  let handOutTokens: OAuthFixture['handOutTokens']
  let browser: OAuthFixture['browser']
  let newBrowser: OAuthFixture['newBrowser']
  let init: OAuthFixture['init']
  let resultFor: OAuthFixture['resultFor']
  let codeFor: OAuthFixture['codeFor']
  let authenticate: OAuthFixture['authenticate']
  beforeEach(async () => {
    ;({ context, app, server, handOutTokens, browser, newBrowser, init, resultFor, codeFor, authenticate } =
      await oauthFixture(database(), sandbox))
  })

  describe('the authorization code', () => {
    test('a code requires its state, verifier, browser and app', async () => {
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
      expect(await authenticate(code, newBrowser())).toMatchObject(refusedCode)
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

    test('a code differs from the state that the provider receives', async () => {
      const login = newLogin()
      await init(login)
      const window = testWindow(server)
      const { location } = await window.start(login)
      const state = new URL(location ?? '').searchParams.get('state')
      await window.comeBack(await consentAt(location ?? '', ada))
      const { authorization_code, state_code } = v.parse(resultAnswer, (await resultFor(login)).answer)
      const code = { state_code, code_verifier: login.verifier }
      expect(await authenticate({ ...code, authorization_code: state ?? '' })).toMatchObject(refusedCode)
      expect(await authenticate({ ...code, authorization_code })).toMatchObject({ status: 200 })
    })

    test('a denied login has no code, even after a later response', async () => {
      const login = newLogin()
      await init(login)
      const window = testWindow(server)
      const { location } = await window.start(login)
      const cookies = [...window.cookies]
      await window.comeBack(await consentAt(location ?? '', { denied: 'yes' }))
      for (const [name, value] of cookies) window.cookies.set(name, value)
      expect(await window.comeBack(await consentAt(location ?? '', ada))).toMatchObject({ status: 400 })
      expect(await resultFor(login)).toMatchObject({
        answer: { status: 'failed', error: 'oauth_user_denied' },
      })
    })

    // The pair of RFC 7636, appendix B
    test('a code accepts the verifier of its challenge, as in RFC 7636', async () => {
      const login = { ...newLogin(), verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }
      const body = { ...initBody(login), code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }
      expect(await browser.call('startOAuth', { body })).toMatchObject({ status: 200 })
      await testWindow(server).go(login, ada)
      const { authorization_code, state_code } = v.parse(resultAnswer, (await resultFor(login)).answer)
      expect(
        await authenticate({ authorization_code, state_code, code_verifier: login.verifier }),
      ).toMatchObject({ status: 200 })
    })

    test('a code can be used once, even by concurrent calls', async () => {
      const code = await codeFor('google')
      const before = await sandbox.exchanges()
      const answers = await Promise.all([1, 2, 3, 4].map(() => authenticate(code)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
      expect(await sandbox.exchanges()).toBe(before + 1)
      expect(await authenticate(code)).toMatchObject(refusedCode)
    })

    test('a code expires after ten minutes', async () => {
      const code = await codeFor('google')
      context.clock.advanceSeconds(600)
      expect(await authenticate(code)).toMatchObject(refusedCode)
    })

    test('a repeated call returns the same session and calls the provider once', async () => {
      await handOutTokens(true)
      const code = await codeFor('google')
      const before = await sandbox.exchanges()
      const first = await authenticate({ ...code, with_tokens: true }, browser, 'login-once')
      const again = await authenticate({ ...code, with_tokens: true }, browser, 'login-once')
      const tokens = (answer: unknown) =>
        v.parse(v.object({ oauth_tokens: v.unknown() }), answer).oauth_tokens
      expect(v.parse(sessionAnswer, again.answer).refresh_token).toBe(
        v.parse(sessionAnswer, first.answer).refresh_token,
      )
      expect(tokens(again.answer)).toEqual(tokens(first.answer))
      expect(await sandbox.exchanges()).toBe(before + 1)
    })

    test('an interrupted exchange is reported as unknown and not repeated', async () => {
      const code = await codeFor('discord')
      const before = await sandbox.exchanges()
      const settings = readOAuthSettings(context.config)
      const unreachable = { ...settings, providersUrl: 'http://127.0.0.1:1/oauth' }
      providerClients.set(context.ports, createProviderClients(unreachable))
      const unknown = { status: 400, answer: { code: 'outcome_unknown' } }
      expect(await authenticate(code, browser, 'cut-off-once')).toMatchObject(unknown)
      providerClients.set(context.ports, createProviderClients(settings))
      expect(await authenticate(code, browser, 'cut-off-once')).toMatchObject(unknown)
      expect(await authenticate(code)).toMatchObject(refusedCode)
      expect(await sandbox.exchanges()).toBe(before)
      expect(await authenticate(await codeFor('discord'))).toMatchObject({ status: 200 })
    })
  })

  describe('a disallowed login', () => {
    const refused = { status: 403, answer: { code: 'disallowed_login_method' } }

    test('a login method that the app disabled can neither start nor finish', async () => {
      const code = await codeFor('google')
      await setFields(context.db, context.clock, app.id, [['google_oauth', false]])
      context.clock.advanceSeconds(5)
      expect(await init(newLogin())).toMatchObject(refused)
      expect(await init(newLogin(), 'github')).toMatchObject({ status: 200 })
      expect(await authenticate(code)).toMatchObject(refused)
    })

    test('a provider without a client is refused, naming the variable', async () => {
      const { clients, providersUrl } = readOAuthSettings(context.config)
      const { google: _, ...others } = clients
      providerClients.set(context.ports, createProviderClients({ clients: others, providersUrl }))
      expect(await init(newLogin())).toMatchObject({
        status: 403,
        answer: { code: 'disallowed_login_method', details: { setting: 'OAUTH_GOOGLE' } },
      })
    })
  })
}, oauthTables)
