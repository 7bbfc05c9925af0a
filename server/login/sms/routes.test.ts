/** Login by SMS over HTTP, with Twilio Verify as the sandbox speaks it. */
import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import { setFields } from '../../apps/manage.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import { sessionAnswer, type TestBrowser, testBrowser, testServer } from '../../sessions/testing/browser.ts'
import { createTokenVerifier } from '../../sessions/verifier.ts'
import { newShelf } from '../../shelf.ts'
import { smsEnvironment } from '../../sms/environment.ts'
import { createTwilioVerifier } from '../../sms/twilio.ts'
import { type SmsVerifier, smsVerifier } from '../../sms/verifier.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { programs } from '../../testing/program.ts'
import { startSandbox } from '../../testing/sandbox.ts'

const { run, killAll } = programs()
let sandbox = ''
let twilio: SmsVerifier
beforeAll(async () => {
  sandbox = await startSandbox(run)
  const parts = newShelf('a test')
  const account = `http://AC${'0'.repeat(32)}:secret@${new URL(sandbox).host}`
  smsEnvironment.parse({ TWILIO_VERIFY_URL: `${account}/v2/Services/VA${'1'.repeat(32)}` }, parts)
  const found = smsEnvironment.of({ parts }).TWILIO_VERIFY_URL
  if (!found) throw new Error('There is an account')
  twilio = createTwilioVerifier(found)
})
afterAll(killAll)
afterEach(() => setFault('none'))

const setFault = (fault: string) =>
  fetch(`${sandbox}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ twilio: fault }),
  })
const countsOfTwilio = async () => (await fetch(`${sandbox}/api/twilio`)).json()

const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let server: Server
  let browser: TestBrowser
  let phone = ''
  let heard = 0
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    smsVerifier.put(context.ports, twilio)
    app = await testApp(context)
    await setFields(context.db, context.clock, app.id, [['sms_auth', true]])
    context.clock.advanceSeconds(5)
    server = testServer(context)
    browser = testBrowser(server, context, app)
    phone = `+1 20255${String(randomInt(100_000)).padStart(5, '0')}`
  })
  const send = (from = browser, requestId?: string, phoneNumber = phone) =>
    from.call('sendSmsCode', { body: { phoneNumber }, ...(requestId !== undefined && { requestId }) })
  const codeSent = async () => {
    const to = phone.replace(' ', '')
    const answer = await fetch(
      `${sandbox}/api/messages/next?${new URLSearchParams({ to, after: String(heard), timeoutMs: '5000' })}`,
    )
    const { message, cursor } = await answer.json()
    heard = cursor
    return /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
  }
  const codeFor = async (from = browser) => {
    expect(await send(from)).toMatchObject({ status: 200, answer: { success: true } })
    return codeSent()
  }
  const login = (code: string, from = browser, requestId?: string, phoneNumber = phone) =>
    from.call('loginWithSmsCode', {
      body: { phoneNumber, code },
      ...(requestId !== undefined && { requestId }),
    })
  const wrong = {
    status: 422,
    answer: { error: 'Invalid or expired verification code', code: 'invalid_credentials' },
  }

  describe('a login', () => {
    // spec L1.3, L7.29, L7.36
    test('makes a user with the number the first time, and finds the same one again', async () => {
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
    test('takes a code with spaces around it, and a number in any of its ways to be written', async () => {
      const code = await codeFor()
      const answer = await login(` ${code}\n`, browser, undefined, phone.replace(' ', ''))
      expect(answer).toMatchObject({
        status: 200,
        answer: { user: { linked_accounts: [{ phoneNumber: phone }] } },
      })
    })

    test('wrong, used and of another browser: one answer, and another browser is not even asked about', async () => {
      const code = await codeFor()
      expect(await login(wrongFor(code))).toMatchObject(wrong)
      const { checks } = await countsOfTwilio()
      expect(await login(code, testBrowser(server, context, app))).toMatchObject(wrong)
      expect((await countsOfTwilio()).checks).toBe(checks)
      expect(await login(code)).toMatchObject({ status: 200 })
      expect(await login(code)).toMatchObject(wrong)
    })

    test('after ten minutes the code is too old', async () => {
      const code = await codeFor()
      context.clock.advanceSeconds(600)
      expect(await login(code)).toMatchObject(wrong)
    })

    test('asked again after a lost answer gives the same session and checks the code once', async () => {
      const code = await codeFor()
      const { checks } = await countsOfTwilio()
      const first = v.parse(sessionAnswer, (await login(code, browser, 'login-once')).answer)
      const again = v.parse(sessionAnswer, (await login(code, browser, 'login-once')).answer)
      expect(again.refresh_token).toBe(first.refresh_token)
      expect((await countsOfTwilio()).checks).toBe(checks + 1)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    test('asked again, a code is sent once', async () => {
      const { sendings } = await countsOfTwilio()
      await send(browser, 'send-once')
      expect(await send(browser, 'send-once')).toMatchObject({ status: 200 })
      expect((await countsOfTwilio()).sendings).toBe(sendings + 1)
    })
  })

  describe('guesses', () => {
    test('are five in ten minutes, whatever the parallel calls and resends, and no more are passed on', async () => {
      const code = await codeFor()
      const { checks } = await countsOfTwilio()
      const first = await Promise.all([1, 2, 3].map(() => login(wrongFor(code))))
      await send()
      const second = await Promise.all([1, 2, 3, 4, 5].map(() => login(wrongFor(code))))
      const statuses = [...first, ...second].map(({ status }) => status)
      expect(statuses.filter((status) => status === 422)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(3)
      expect((await countsOfTwilio()).checks).toBe(checks + 5)
      expect(await login(code)).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
    })

    test('that were right cost nothing', async () => {
      for (let turn = 0; turn < 4; turn += 1)
        expect(await login(await codeFor())).toMatchObject({ status: 200 })
      const code = await codeFor()
      for (let turn = 0; turn < 5; turn += 1) expect(await login(wrongFor(code))).toMatchObject(wrong)
      expect(await login(code)).toMatchObject({ status: 429 })
    })

    test('of many strangers without a code cost the number nothing', async () => {
      const code = await codeFor()
      for (let turn = 0; turn < 8; turn += 1) {
        expect(await login(code, testBrowser(server, context, app))).toMatchObject(wrong)
      }
      expect(await login(code)).toMatchObject({ status: 200 })
    })
  })

  describe('what the service refuses', () => {
    // spec L8.5
    test.each([
      ['blocked-region', 400, 'not_supported', 'SMS authentication from this region is not available'],
      ['fraud', 400, 'not_supported', 'SMS authentication from this region is not available'],
      ['too-many-requests', 429, 'too_many_requests', 'Too many attempts.'],
      ['failing', 400, 'twilio_verification_failed', 'The SMS service did not answer. Please try again.'],
      [
        'wrong-credentials',
        400,
        'twilio_verification_failed',
        'The SMS service did not answer. Please try again.',
      ],
    ])('when it is %s is told with %d %s', async (fault, status, code, error) => {
      await setFault(fault)
      for (let turn = 0; turn < 6; turn += 1) {
        expect(await send()).toMatchObject({ status, answer: { code, error } })
      }
      // A message that was not sent counts against nobody.
      await setFault('none')
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    })

    test('at the check leaves the code as it was', async () => {
      const code = await codeFor()
      await setFault('failing')
      expect(await login(code)).toMatchObject({
        status: 400,
        answer: { code: 'twilio_verification_failed' },
      })
      await setFault('none')
      expect(await login(code)).toMatchObject({ status: 200 })
    })
  })

  test.each(['+1 2', '+1 123', '+1 20255501234', '2025550123', '', 'call me'])(
    'the number %j is refused before anybody is asked',
    async (phoneNumber) => {
      const { sendings } = await countsOfTwilio()
      expect(await send(browser, undefined, phoneNumber)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
      expect((await countsOfTwilio()).sendings).toBe(sendings)
    },
  )

  test('an app without SMS login says so to each call', async () => {
    await setFields(context.db, context.clock, app.id, [['sms_auth', false]])
    context.clock.advanceSeconds(5)
    const refused = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await send()).toMatchObject(refused)
    expect(await login('000000')).toMatchObject(refused)
  })

  test('a server whose operator named no service says so', async () => {
    smsVerifier.put(context.ports, undefined)
    expect(await send()).toMatchObject({
      status: 403,
      answer: { code: 'disallowed_login_method', details: { setting: 'TWILIO_VERIFY_URL' } },
    })
  })

  describe('linking', () => {
    // spec L1.3
    test('adds the number to the user, who then logs in with it', async () => {
      const { token, user } = await browser.login()
      const body = { phoneNumber: phone, code: await codeFor() }
      expect(await browser.call('linkPhone', { token, body })).toMatchObject({
        status: 200,
        answer: {
          linked_accounts: expect.arrayContaining([
            expect.objectContaining({ type: 'phone', phoneNumber: phone }),
          ]),
        },
      })
      const { answer } = await login(await codeFor())
      expect(v.parse(sessionAnswer, answer).user.id).toBe(user.id)
    })

    // spec L5.16
    test('a second number, and one of another user, are refused in words', async () => {
      await login(await codeFor())
      const { token } = await browser.login()
      const taken = { phoneNumber: phone, code: await codeFor() }
      expect(await browser.call('linkPhone', { token, body: taken })).toMatchObject({
        answer: { code: 'linked_to_another_user' },
      })
      const own = await testBrowser(server, context, app).login('eve@example.com')
      expect(own.token).not.toBe(token)
    })

    test('needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      const code = await codeFor()
      await browser.call('logout', { body: { refresh_token } })
      expect(await browser.call('linkPhone', { token, body: { phoneNumber: phone, code } })).toMatchObject({
        status: 401,
      })
    })
  })
})
