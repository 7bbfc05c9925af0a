/** Tests the captcha check of the endpoints that start a login, over HTTP, against the Turnstile sandbox. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { setFields } from '../../identity/apps/manage.ts'
import { type TestBrowser, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { readOAuthSettings } from '../../login/oauth/environment.ts'
import { createProviderClients, providerClients } from '../../login/oauth/exchange/exchange.ts'
import { oauthTables } from '../../login/oauth/testing/fixture.ts'
import { capabilities } from '../../start/capabilities.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { mailer } from '../mail/mail.ts'
import { type SmsVerifier, smsVerifier } from '../sms/sms.ts'
import { captchaVerifier } from './captcha.ts'
import { startTurnstile } from './testing/turnstile.ts'

const turnstile = await startTurnstile()
afterEach(() => turnstile.setFault('none'))

const invalid = { status: 400, answer: { code: 'invalid_captcha' } }
const email = 'ada@example.com'
const phoneNumber = '+1 2025550123'

forDefaultEngine((database) => {
  let context: TestContext
  let app: App
  let browser: TestBrowser
  let messages = 0
  beforeEach(async () => {
    context = await testContext(database(), {
      config: parseConfig({ OAUTH_GOOGLE: 'client:secret' }, collectEnvironment(capabilities)),
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    captchaVerifier.set(context.ports, turnstile.verifier)
    providerClients.set(context.ports, createProviderClients(readOAuthSettings(context.config)))
    messages = 0
    const sender: SmsVerifier = {
      async send() {
        messages += 1
        return { type: 'sent', verification: 'VE1' }
      },
      check: async () => ({ type: 'right' }),
    }
    smsVerifier.set(context.ports, sender)
    app = await testApp(context)
    browser = testBrowser(testServer(context), context, app)
  })

  const configure = async (captcha: boolean) => {
    await setFields(context.db, context.clock, app.id, [
      ['captcha_site_key', 't:0x4AAAsite'],
      ['captcha_enabled', captcha],
      ['sms_auth', true],
    ])
    context.clock.advanceSeconds(5)
  }
  const token = () => turnstile.createToken({ cdata: app.id })
  const sendCode = (body: object, more: { token?: string; requestId?: string } = {}) =>
    browser.call('sendEmailCode', { body: { email, ...body }, ...more })

  // spec L7.28, L7.29
  describe('with the captcha enabled', () => {
    beforeEach(() => configure(true))

    test('sends an e-mail code after a passed captcha, and requires none for the login itself', async () => {
      expect(await sendCode({ token: await token() })).toMatchObject({
        status: 200,
        answer: { success: true },
      })
      const code = context.mails.at(-1)?.subject.slice(0, 6)
      expect(await browser.call('loginWithEmailCode', { body: { email, code } })).toMatchObject({
        status: 200,
      })
    })

    test('sends an SMS code after a passed captcha', async () => {
      const send = (body: object) => browser.call('sendSmsCode', { body: { phoneNumber, ...body } })
      expect(await send({})).toMatchObject(invalid)
      expect(messages).toBe(0)
      expect(await send({ token: await token() })).toMatchObject({ status: 200, answer: { success: true } })
      expect(messages).toBe(1)
    })

    // spec L4.15, L7.30
    test('requires a captcha to start an OAuth login, also when it links an account', async () => {
      await setFields(context.db, context.clock, app.id, [['google_oauth', true]])
      context.clock.advanceSeconds(5)

      const letters = 'a'.repeat(43)
      const begin = (body: object, more: object = {}) =>
        browser.call('startOAuth', {
          body: {
            provider: 'google',
            redirect_to: 'http://demo.localhost:4010/',
            code_challenge: letters,
            state_code: letters,
            ...body,
          },
          ...more,
        })
      expect(await begin({})).toMatchObject(invalid)
      await sendCode({ token: await token() })
      const code = context.mails.at(-1)?.subject.slice(0, 6)
      const session = await browser.call('loginWithEmailCode', { body: { email, code } })
      const { token: own } = session.answer as { token: string }
      expect(await begin({}, { token: own })).toMatchObject(invalid)
      expect(await begin({ token: await token() }, { token: own })).toMatchObject({
        status: 200,
        answer: { url: expect.stringContaining('/oauth/redirect/') },
      })
    })

    // spec L8.1
    test('sends nothing without a token, for an invalid token or for a used one', async () => {
      expect(await sendCode({})).toMatchObject(invalid)
      expect(await sendCode({ token: 'made-up' })).toMatchObject(invalid)
      const used = await token()
      await sendCode({ token: used })
      expect(context.mails).toHaveLength(1)
      expect(await sendCode({ token: used })).toMatchObject(invalid)
      expect(context.mails).toHaveLength(1)
    })

    test('rejects a token that was issued for another app', async () => {
      const foreign = await turnstile.createToken({ cdata: 'lktest0000000000000000001' })
      expect(await sendCode({ token: foreign })).toMatchObject(invalid)
    })

    test('returns the same response to a repeated call without another captcha check', async () => {
      const again = { token: await token() }
      const before = await turnstile.validations()
      expect(await sendCode(again, { requestId: 'send-once' })).toMatchObject({ status: 200 })
      await turnstile.setFault('wrong-secret')
      expect(await sendCode(again, { requestId: 'send-once' })).toMatchObject({ status: 200 })
      expect(await turnstile.validations()).toBe(before + 1)
      expect(context.mails).toHaveLength(1)
    })

    test('sends the mail on a retry with the same token after the first send failed', async () => {
      const working = mailer.get(context.ports)
      mailer.set(context.ports, { send: () => Promise.reject(new Error('No mail server')) })
      const again = { token: await token() }
      expect(await sendCode(again, { requestId: 'sent-later' })).toMatchObject({
        status: 502,
        answer: { code: 'email_not_sent' },
      })
      mailer.set(context.ports, working)
      expect(await sendCode(again, { requestId: 'sent-later' })).toMatchObject({ status: 200 })
      expect(context.mails).toHaveLength(1)
      expect(await sendCode(again)).toMatchObject(invalid)
    })

    test('consumes no send quota of an address if the captcha fails', async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        expect(await sendCode({ token: `made-up-${turn}` })).toMatchObject(invalid)
      }
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await sendCode({ token: await token() })).toMatchObject({ status: 200 })
      }
      expect(await sendCode({ token: await token() })).toMatchObject({
        status: 429,
        answer: { code: 'too_many_requests' },
      })
    })

    // spec L4.14
    test('requires no captcha, but a session proof, from a logged-in user', async () => {
      await sendCode({ token: await token() })
      const code = context.mails.at(-1)?.subject.slice(0, 6)
      const session = await browser.call('loginWithEmailCode', { body: { email, code } })
      const { token: own } = session.answer as { token: string }
      const other = 'grace@example.com'
      const ask = (options: object) => browser.call('sendEmailCode', { body: { email: other }, ...options })
      expect(await ask({ token: own })).toMatchObject({ status: 200 })
      expect(context.mails.at(-1)?.to).toBe(other)
      expect(await ask({})).toMatchObject(invalid)
      expect(await ask({ token: 'made-up' })).toMatchObject({
        status: 401,
        answer: { code: 'missing_or_invalid_token' },
      })
      expect(await ask({ token: own, proof: 'none' })).toMatchObject({ status: 401 })
      const stranger = testBrowser(testServer(context), context, app)
      expect(await stranger.call('sendEmailCode', { body: { email: other }, token: own })).toMatchObject({
        status: 401,
      })
    })

    // spec L7.39
    test('requires a captcha token to start a change of the e-mail address', async () => {
      await sendCode({ token: await token() })
      const first = context.mails.at(-1)?.subject.slice(0, 6)
      const session = await browser.call('loginWithEmailCode', { body: { email, code: first } })
      const { token: own } = session.answer as { token: string }
      const next = 'ada@new.example'
      const start = async (captcha: string) =>
        browser.call('sendEmailCode', { body: { email: next, token: captcha }, token: own })
      expect(await start('made-up')).toMatchObject(invalid)
      expect(await start(await token())).toMatchObject({ status: 200 })
      const code = context.mails.at(-1)?.subject.slice(0, 6)
      const change = { oldAddress: email, newAddress: next, code }
      expect(await browser.call('updateEmail', { body: change, token: own })).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email', address: next }] },
      })
    })

    test('allows a retry of the call while Turnstile is down', async () => {
      await turnstile.setFault('failing')
      const again = { token: await token() }
      expect(await sendCode(again, { requestId: 'asked-later' })).toMatchObject({
        status: 503,
        answer: { code: 'unavailable' },
      })
      await turnstile.setFault('none')
      expect(await sendCode(again, { requestId: 'asked-later' })).toMatchObject({ status: 200 })
    })

    test('refuses every login if the server has no captcha secret', async () => {
      captchaVerifier.set(context.ports, undefined)
      expect(await sendCode({ token: await token() })).toMatchObject({
        status: 400,
        answer: { code: 'captcha_disabled', details: { setting: 'TURNSTILE_SECRET_KEY' } },
      })
      captchaVerifier.set(context.ports, turnstile.verifierWith('wrong'))
      expect(await sendCode({ token: await token() })).toMatchObject({
        status: 400,
        answer: { code: 'captcha_disabled' },
      })
      expect(context.mails).toHaveLength(0)
    })
  })

  test('verifies the token of a host page even if the app requires no captcha (spec W3.13)', async () => {
    await configure(false)
    expect(await sendCode({})).toMatchObject({ status: 200 })
    expect(await sendCode({ token: 'made-up' })).toMatchObject(invalid)
    expect(context.mails).toHaveLength(1)
    expect(await sendCode({ token: await token() })).toMatchObject({ status: 200 })
  })

  test('ignores a token for an app without a site key', async () => {
    const before = await turnstile.validations()
    expect(await sendCode({ token: 'made-up' })).toMatchObject({ status: 200 })
    expect(await turnstile.validations()).toBe(before)
  })

  // spec W5.15
  test.each([
    ['captcha_site_key', '0x4AAAsite', '"0x4AAAsite"'],
    ['captcha_site_key', 't:', '"t:"'],
    ['captcha_enabled', true, 'null'],
  ])('%s rejects %j, which is a public test key', async (path, value, key) => {
    await expect(setFields(context.db, context.clock, app.id, [[path, value]])).rejects.toThrow(
      `captcha_site_key cannot be ${key}: Unsupported captcha site key`,
    )
  })
}, oauthTables)
