/** Tests SMS codes as a second factor, with the sandbox's Twilio Verify. */
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestBrowser, TestSession } from '../../../identity/sessions/testing/browser.ts'
import { smsVerifier } from '../../../integrations/sms/verifier.ts'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import { newNumber, startTwilio, wrongFor } from '../../../login/sms/testing/fixture.ts'
import { enrolledMethod } from '../testing/enrolled.ts'
import { type Call, type MfaFixture, mfaFixture, missing, spent, wrong } from '../testing/fixture.ts'
import { secondFactorFacts } from '../testing/second-factor.facts.ts'

const twilio = await startTwilio()

const notBoth = {
  status: 400,
  answer: { code: 'not_supported', error: 'SMS can be a login method or a verification method, not both' },
}
const sent = { status: 200, answer: { success: true } }

forEachEngine((database, engine) => {
  let fixture: MfaFixture
  let session: TestSession
  let phone: string
  beforeEach(async () => {
    await twilio.setFault('none')
    fixture = await mfaFixture(database())
    smsVerifier.set(fixture.context.ports, twilio.verifier)
    session = await fixture.browser.login()
    phone = newNumber()
  })

  const begin = (call: Call, more = {}) =>
    call('sendMfaCode', { action: 'enroll', phoneNumber: phone, ...more })
  const enroll = async (call: Call = fixture.inMfa(session), more = {}) => {
    expect(await begin(call, more)).toMatchObject(sent)
    const code = await twilio.codeSentTo(phone)
    return call('enrollSms', { phoneNumber: phone, code })
  }
  /** Sends a code like the page, with the dialog token. */
  const askForCode = (of = session, from: TestBrowser = fixture.browser) =>
    from.call('sendMfaCode', { token: of.token, body: { action: 'verify' } })
  const verified = async (call: Call) => {
    expect(await askForCode()).toMatchObject(sent)
    return call('verifySms', { code: await twilio.codeSentTo(phone) })
  }

  let latestCode = ''
  const received = async () => {
    latestCode = await twilio.codeSentTo(phone)
    return latestCode
  }
  // spec L7.9
  secondFactorFacts(() => ({
    fixture,
    session,
    type: 'sms',
    name: 'Verification by SMS',
    begin: async (call) => ({
      begun: await begin(call),
      end: async () => ['enrollSms', { phoneNumber: phone, code: await received() }],
    }),
    verify: 'verifySms',
    async answer({ session, browser }) {
      expect(await askForCode(session, browser)).toMatchObject(sent)
      return { code: await received() }
    },
    guess: () => ({ code: wrongFor(latestCode) }),
    removal: ['unenrollSms', {}],
  }))

  test('does not call the service after too many attempts', async () => {
    await enroll()
    await askForCode()
    const code = await twilio.codeSentTo(phone)
    const before = await twilio.counts()
    const token = await fixture.walletToken(session, { purpose: 'mfa' })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        fixture.browser.call('verifySms', { token, body: { code: wrongFor(code) } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(4)
    expect((await twilio.counts()).checks - before.checks).toBeLessThanOrEqual(4)
  })

  test('a number linked during the check does not become the SMS method', async () => {
    const linking = (links: boolean) =>
      smsVerifier.set(fixture.context.ports, {
        ...twilio.verifier,
        async check(...asked) {
          const { db } = fixture.context
          const account = await db
            .selectFrom('linked_accounts')
            .selectAll()
            .where('type', '=', 'email')
            .executeTakeFirstOrThrow()
          const number = {
            ...account,
            id: 'phone',
            type: 'phone',
            identifier: '+1 2025550123',
            profile: '{"phoneNumber":"+1 2025550123"}',
          }
          if (links) await db.insertInto('linked_accounts').values(number).execute()
          return twilio.verifier.check(...asked)
        },
      })
    linking(true)
    expect(await enroll()).toMatchObject(notBoth)
    expect((await fixture.browser.call('me', { token: session.token })).answer).toMatchObject({
      mfa_methods: [],
    })
    await fixture.context.db.deleteFrom('linked_accounts').where('type', '=', 'phone').execute()
    linking(false)
    phone = newNumber()
    expect(await enroll()).toMatchObject({ status: 200 })
  })

  if (!runsAllTests(engine)) return

  // spec L9.20
  test('returns the last four digits of the number to the verifying user', async () => {
    await enroll()
    expect(await askForCode()).toMatchObject({
      status: 200,
      answer: { success: true, sent_to: `*${phone.slice(-4)}` },
    })
    expect(phone).toMatch(/[0-9]{4}$/)
  })

  // spec L7.41, L6.2, L6.6
  test('enrols a number with its code, and does not link it as an account', async () => {
    const enrolled = await enroll()
    expect(enrolled).toMatchObject({ status: 200, answer: { user: { mfa_methods: [{ type: 'sms' }] } } })
    const { answer } = await fixture.browser.call('me', { token: session.token })
    expect(answer).toMatchObject({ linked_accounts: [{ type: 'email' }], mfa_methods: [{ type: 'sms' }] })
    expect(JSON.stringify(answer)).not.toContain(phone.slice(3))
    expect(await fixture.events()).toEqual([['mfa.enrolled', { method: 'sms', verified: null }]])
  })

  test('enrols nothing with a wrong or used code, or the code of another number', async () => {
    const call = fixture.inMfa(session)
    await begin(call)
    const code = await twilio.codeSentTo(phone)
    const invalid = { status: 422, answer: { code: 'invalid_credentials' } }
    expect(await call('enrollSms', { phoneNumber: newNumber(), code })).toMatchObject({ status: 404 })
    expect(await call('enrollSms', { phoneNumber: phone, code: wrongFor(code) })).toMatchObject(invalid)
    const other = fixture.newBrowser()
    const elsewhere = await other.login()
    const theirs = fixture.inMfa(elsewhere, other)
    expect(await theirs('enrollSms', { phoneNumber: phone, code })).toMatchObject({ status: 404 })
    expect(await call('enrollSms', { phoneNumber: phone, code })).toMatchObject({ status: 200 })
  })

  test('verifies with a code once, in the session that requested it', async () => {
    await enroll()
    await askForCode()
    const code = await twilio.codeSentTo(phone)
    const other = fixture.newBrowser()
    const elsewhere = await other.login()
    expect(await fixture.inMfa(elsewhere, other)('verifySms', { code })).toMatchObject(wrong)
    expect(await fixture.inMfa(session)('verifySms', { code: wrongFor(code) })).toMatchObject(wrong)
    expect(await fixture.inMfa(session)('verifySms', { code })).toMatchObject({ status: 200 })
    const { checks } = await twilio.counts()
    expect(await fixture.inMfa(session)('verifySms', { code })).toMatchObject(wrong)
    expect((await twilio.counts()).checks).toBe(checks)
  })

  describe('SMS is one factor', () => {
    // spec L6.7
    test('rejects every number for a user with an SMS login', async () => {
      const browser = fixture.newBrowser()
      const number = newNumber()
      await browser.call('sendSmsCode', { body: { phoneNumber: number } })
      const code = await twilio.codeSentTo(number)
      const { answer } = await browser.call('loginWithSmsCode', { body: { phoneNumber: number, code } })
      const bySms = answer as TestSession
      const call = fixture.inMfa(bySms, browser)
      expect(await begin(call)).toMatchObject(notBoth)
      expect(await begin(call, { phoneNumber: number })).toMatchObject(notBoth)
      expect(await begin(fixture.inMfa(session))).toMatchObject(sent)
    })

    test('rejects an SMS login for a user with SMS as a second factor', async () => {
      const number = newNumber()
      const link = async (of: TestSession, from: TestBrowser) => {
        await from.call('sendSmsCode', { body: { phoneNumber: number } })
        const code = await twilio.codeSentTo(number)
        return from.call('linkPhone', { token: of.token, body: { phoneNumber: number, code } })
      }
      await enroll()
      expect(await link(session, fixture.browser)).toMatchObject(notBoth)
      const other = fixture.newBrowser()
      expect(await link(await other.login('eve@example.com'), other)).toMatchObject({ status: 200 })
    })

    test('even if the number is linked while its code is on the way, without calling the service', async () => {
      const call = fixture.inMfa(session)
      await begin(call)
      const code = await twilio.codeSentTo(phone)
      const number = newNumber()
      await fixture.browser.call('sendSmsCode', { body: { phoneNumber: number } })
      const linking = await twilio.codeSentTo(number)
      const { token } = session
      expect(
        await fixture.browser.call('linkPhone', { token, body: { phoneNumber: number, code: linking } }),
      ).toMatchObject({ status: 200 })
      const { checks } = await twilio.counts()
      expect(await call('enrollSms', { phoneNumber: phone, code })).toMatchObject(notBoth)
      expect((await twilio.counts()).checks).toBe(checks)
    })
  })

  describe('if the user has a second factor', () => {
    test('the frame begins the enrolment of another one with a verification, and ends it without', async () => {
      await enroll()
      const call = fixture.inMfa(session)
      expect(await call('beginTotp')).toMatchObject(missing(['sms']))
      const mfa_token = fixture.tokenIn(await verified(call))
      expect(await call('beginTotp', { mfa_token })).toMatchObject({ status: 200 })
      expect(await call('beginTotp')).toMatchObject({ status: 200 })
    })

    test('the beginning consumes its verification, and a forged one begins nothing', async () => {
      await enroll()
      const call = fixture.inMfa(session)
      expect(await call('beginTotp', { mfa_token: 'made-up' })).toMatchObject(spent)
      const mfa_token = fixture.tokenIn(await verified(call))
      expect(await call('beginTotp', { mfa_token })).toMatchObject({ status: 200 })
      expect(await call('unenrollSms', { mfa_token })).toMatchObject(spent)
      const fresh = fixture.tokenIn(await verified(call))
      expect(await call('unenrollSms', { mfa_token: fresh })).toMatchObject({ status: 200 })
    })

    test("a page cannot begin an enrolment, but resends the code of its session's enrolment", async () => {
      const { token } = session
      const fromPage = () =>
        fixture.browser.call('sendMfaCode', { token, body: { action: 'enroll', phoneNumber: phone } })
      expect(await fromPage()).toMatchObject(sent)
      await twilio.codeSentTo(phone)
      await fixture.context.db
        .insertInto('mfa_methods')
        .values(
          enrolledMethod({
            id: 'other',
            app_id: fixture.app.id,
            user_id: session.user.id,
            method: 'totp',
          }),
        )
        .execute()
      expect(await fromPage()).toMatchObject(sent)
      const code = await twilio.codeSentTo(phone)
      // The enrolment began before the user had a second factor, so its end requires the verification.
      expect(await fixture.inMfa(session)('enrollSms', { phoneNumber: phone, code })).toMatchObject(
        missing(['totp']),
      )
      phone = newNumber()
      expect(await fromPage()).toMatchObject(missing(['totp']))
    })

    test('the end rejects a forged verification without calling the service', async () => {
      const call = fixture.inMfa(session)
      expect(await begin(call)).toMatchObject(sent)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const app = OTPAuth.URI.parse(totpAuthUrl)
      const appCode = () => app.generate({ timestamp: fixture.context.clock.nowMs() })
      expect(await call('enrollTotp', { code: appCode() })).toMatchObject({ status: 200 })
      fixture.context.clock.advanceSeconds(30)
      const end = { phoneNumber: phone, code: await twilio.codeSentTo(phone) }
      const before = await twilio.counts()
      expect(await call('enrollSms', { ...end, mfa_token: 'made-up' })).toMatchObject(spent)
      expect(await twilio.counts()).toEqual(before)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: appCode() }))
      expect(await call('enrollSms', { ...end, mfa_token })).toMatchObject({ status: 200 })
    })

    test('the end consumes its verification', async () => {
      const call = fixture.inMfa(session)
      expect(await begin(call)).toMatchObject(sent)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const app = OTPAuth.URI.parse(totpAuthUrl)
      const appCode = () => app.generate({ timestamp: fixture.context.clock.nowMs() })
      await call('enrollTotp', { code: appCode() })
      fixture.context.clock.advanceSeconds(30)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: appCode() }))
      const end = { phoneNumber: phone, code: await twilio.codeSentTo(phone), mfa_token }
      expect(await call('enrollSms', end)).toMatchObject({ status: 200 })
      expect(await call('unenrollTotp', { mfa_token })).toMatchObject(spent)
      fixture.context.clock.advanceSeconds(30)
      const fresh = fixture.tokenIn(await call('verifyTotp', { code: appCode() }))
      expect(await call('unenrollTotp', { mfa_token: fresh })).toMatchObject({ status: 200 })
    })
  })

  test('counts sends for the user, so that an attacker who knows the number cannot exhaust the quota', async () => {
    await enroll()
    const other = fixture.newBrowser()
    const eve = await other.login('eve@example.com')
    const theirs = fixture.inMfa(eve, other)
    const answers = []
    for (let turn = 0; turn < 6; turn += 1) answers.push((await begin(theirs)).status)
    expect(answers.slice(0, 4)).toEqual([200, 200, 200, 200])
    expect(answers.at(-1)).toBe(429)
  })

  test('reports a failure of the service, and keeps the code valid', async () => {
    await enroll()
    await askForCode()
    const code = await twilio.codeSentTo(phone)
    await twilio.setFault('failing')
    const failed = await fixture.inMfa(session)('verifySms', { code })
    expect(failed.status).toBe(400)
    await twilio.setFault('none')
    expect(await fixture.inMfa(session)('verifySms', { code })).toMatchObject({ status: 200 })
  })

  test('sends no code without an enrolled number', async () => {
    expect(await askForCode()).toMatchObject({ status: 401, answer: { code: 'missing_or_invalid_mfa' } })
  })
})
