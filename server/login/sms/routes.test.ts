/** Login by SMS over HTTP, with Twilio Verify played by the sandbox. */
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer, type TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { smsVerifier } from '../../integrations/sms/verifier.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { TestContext } from '../../testing/context.ts'
import { type SmsFixture, smsFixture, startTwilio, wrong, wrongFor } from './testing/fixture.ts'

const twilio = await startTwilio()
afterEach(() => twilio.setFault('none'))

forDefaultEngine((database) => {
  let context: TestContext
  let app: App
  let browser: TestBrowser
  let phone = ''
  let newBrowser: SmsFixture['newBrowser']
  let send: SmsFixture['send']
  let codeFor: SmsFixture['codeFor']
  let login: SmsFixture['login']
  let logged: SmsFixture['logged']
  let audited: SmsFixture['audited']
  beforeEach(async () => {
    const fixture = await smsFixture(database(), twilio)
    ;({ context, app, browser, phone, newBrowser, send, codeFor, login, logged, audited } = fixture)
  })

  describe('a login', () => {
    // spec L1.3, L7.29, L7.36
    test('creates a user at the first login and finds the user again', async () => {
      const first = await login(await codeFor())
      expect(first).toMatchObject({
        status: 200,
        answer: {
          is_new_user: true,
          user: { linked_accounts: [{ type: 'phone', phoneNumber: phone }] },
        },
      })
      const again = await login(await codeFor())
      expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
      expect(v.parse(sessionAnswer, again.answer).user.id).toBe(v.parse(sessionAnswer, first.answer).user.id)
    })

    // spec L5.11
    test('trims the code and accepts any spelling of the number', async () => {
      const code = await codeFor()
      const answer = await login(` ${code}\n`, browser, undefined, phone.replace(' ', ''))
      expect(answer).toMatchObject({
        status: 200,
        answer: { user: { linked_accounts: [{ phoneNumber: phone }] } },
      })
    })

    test('wrong, used and foreign codes have the same response, and foreign ones are not checked', async () => {
      const code = await codeFor()
      expect(await login(wrongFor(code))).toMatchObject(wrong)
      const { checks } = await twilio.counts()
      expect(await login(code, newBrowser())).toMatchObject(wrong)
      expect((await twilio.counts()).checks).toBe(checks)
      expect(await login(code)).toMatchObject({ status: 200 })
      expect(await login(code)).toMatchObject(wrong)
    })

    test('allows only numbers on the allowlist', async () => {
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      context.clock.advanceSeconds(2)
      expect(await login(await codeFor())).toMatchObject({ answer: { code: 'allowlist_rejected' } })
      await changeAllowlist(context.db, app.id, 'add', 'phone', phone.replace(' ', ''))
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    })

    test('rejects the code after ten minutes', async () => {
      const code = await codeFor()
      context.clock.advanceSeconds(600)
      expect(await login(code)).toMatchObject(wrong)
    })

    test('a repeated login returns the same session and checks the code once', async () => {
      const code = await codeFor()
      const { checks } = await twilio.counts()
      const first = v.parse(sessionAnswer, (await login(code, browser, 'login-once')).answer)
      const again = v.parse(sessionAnswer, (await login(code, browser, 'login-once')).answer)
      expect(again.refresh_token).toBe(first.refresh_token)
      expect((await twilio.counts()).checks).toBe(checks + 1)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    test('a repeated send sends once', async () => {
      const { sendings } = await twilio.counts()
      const sent = { status: 200, answer: { success: true } }
      expect(await send(browser, 'send-once')).toMatchObject(sent)
      expect(await send(browser, 'send-once')).toMatchObject(sent)
      expect((await twilio.counts()).sendings).toBe(sendings + 1)
    })

    test('refuses the sixth code in ten minutes', async () => {
      const { sendings } = await twilio.counts()
      for (let turn = 0; turn < 5; turn += 1) expect(await send()).toMatchObject({ status: 200 })
      expect(await send()).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
      expect((await twilio.counts()).sendings).toBe(sendings + 5)
    })

    test('audits a login with its method', async () => {
      const { answer } = await login(await codeFor())
      expect(await audited('session.started')).toEqual([
        { userId: v.parse(sessionAnswer, answer).user.id, details: { method: 'sms' } },
      ])
    })
  })

  describe('Twilio refusals', () => {
    // spec L8.5
    test.each([
      ['blocked-region', 400, 'not_supported', 'SMS authentication from this region is not available'],
      ['fraud', 400, 'not_supported', 'SMS authentication from this region is not available'],
      [
        'unsubscribed',
        400,
        'user_unsubscribed',
        'This number has opted out of messages. Reply START to the last one, then try again.',
      ],
      ['too-many-requests', 429, 'too_many_requests', 'Too many attempts.'],
      ['failing', 400, 'twilio_verification_failed', 'The SMS service did not answer. Please try again.'],
      [
        'wrong-credentials',
        400,
        'twilio_verification_failed',
        'The SMS service did not answer. Please try again.',
      ],
    ])('reports %s with %d %s', async (fault, status, code, error) => {
      await twilio.setFault(fault)
      for (let turn = 0; turn < 6; turn += 1) {
        expect(await send()).toMatchObject({ status, answer: { code, error } })
      }
      // An unsent message is not charged.
      await twilio.setFault('none')
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    })

    test('reports a rate limit with its retry time', async () => {
      await twilio.setFault('too-many-requests')
      expect((await send()).headers.get('retry-after')).toBe('600')
    })

    test('reports a number that rejects messages', async () => {
      smsVerifier.set(context.ports, { ...twilio.verifier, send: async () => ({ type: 'number' }) })
      expect(await send()).toMatchObject({
        status: 400,
        answer: {
          code: 'twilio_verification_failed',
          error: 'No code can be sent to this number.',
        },
      })
      expect(logged()).toEqual([])
    })

    test('reports and logs a missing response, without a charge', async () => {
      const sending = () => Promise.reject(new Error('socket hang up'))
      smsVerifier.set(context.ports, { ...twilio.verifier, send: sending })
      for (let turn = 0; turn < 6; turn += 1) {
        expect(await send()).toMatchObject({
          status: 400,
          answer: {
            code: 'twilio_verification_failed',
            error: 'The SMS service did not answer. Please try again.',
          },
        })
      }
      expect(logged()).toHaveLength(6)
      expect(logged()[0]).toMatchObject({ msg: 'The SMS service failed', why: 'Error: socket hang up' })
      smsVerifier.set(context.ports, twilio.verifier)
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    })

    test('does not repeat an interrupted check, because it may have consumed the code', async () => {
      const code = await codeFor()
      const check = vi.fn(() => Promise.reject(new Error('socket hang up')))
      smsVerifier.set(context.ports, { ...twilio.verifier, check })
      const unknown = { status: 400, answer: { code: 'outcome_unknown' } }
      expect(await login(code, browser, 'guess-once')).toMatchObject(unknown)
      smsVerifier.set(context.ports, twilio.verifier)
      expect(await login(code, browser, 'guess-once')).toMatchObject(unknown)
      expect(check).toHaveBeenCalledTimes(1)
      expect(await login(code, browser, 'guess-twice')).toMatchObject({ status: 200 })
    })

    test('a refusal of the check leaves the code valid', async () => {
      const code = await codeFor()
      await twilio.setFault('failing')
      expect(await login(code)).toMatchObject({
        status: 400,
        answer: { code: 'twilio_verification_failed' },
      })
      await twilio.setFault('none')
      expect(await login(code)).toMatchObject({ status: 200 })
    })
  })

  test.each(['+1 2', '+1 123', '+1 20255501234', '2025550123', '', 'call me'])(
    'refuses the number %j before Twilio is called',
    async (phoneNumber) => {
      const { sendings } = await twilio.counts()
      expect(await send(browser, undefined, phoneNumber)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
      expect((await twilio.counts()).sendings).toBe(sendings)
    },
  )

  test('an app without SMS login refuses each call', async () => {
    const { token } = await browser.login()
    const code = await codeFor()
    await setFields(context.db, context.clock, app.id, [['sms_auth', false]])
    context.clock.advanceSeconds(5)
    const refused = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await send()).toMatchObject(refused)
    expect(await login(code)).toMatchObject(refused)
    const link = { token, body: { phoneNumber: phone, code } }
    expect(await browser.call('linkPhone', link)).toMatchObject(refused)
    await setFields(context.db, context.clock, app.id, [['sms_auth', true]])
    context.clock.advanceSeconds(5)
    expect(await browser.call('linkPhone', link)).toMatchObject({ status: 200 })
  })

  test('a server without Twilio refuses each call', async () => {
    smsVerifier.set(context.ports, undefined)
    expect(await send()).toMatchObject({
      status: 403,
      answer: { code: 'disallowed_login_method', details: { setting: 'TWILIO_VERIFY_URL' } },
    })
  })
})
