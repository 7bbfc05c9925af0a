/** Linking and unlinking phone numbers. */
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forkInto, sessionAnswer, type TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { type SmsVerifier, smsVerifier } from '../../integrations/sms/verifier.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { linkingFacts } from '../testing/linking.facts.ts'
import { newNumber, type SmsFixture, smsFixture, startTwilio, wrong, wrongFor } from './testing/fixture.ts'

const twilio = await startTwilio()
afterEach(() => twilio.setFault('none'))

const user = v.object({ id: v.string() })
const userId = (answer: unknown) => v.parse(sessionAnswer, answer).user.id
/** Approves both checks at the same moment, so that the decisions race. */
function yesToBothAtOnce(): SmsVerifier {
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
  let asked = 0
  return {
    send: () => Promise.reject(new Error('Nothing is sent now')),
    async check() {
      asked += 1
      if (asked === 2) resolve()
      await bothAsked
      return { type: 'right' }
    },
  }
}

forEachEngine((database) => {
  let fixture: SmsFixture
  let browser: TestBrowser
  let phone = ''
  beforeEach(async () => {
    fixture = await smsFixture(database(), twilio)
    ;({ browser, phone } = fixture)
  })

  const link = (from: TestBrowser, token: string, code: string, phoneNumber = phone) =>
    from.call('linkPhone', { token, body: { phoneNumber, code } })
  const unlink = (from: TestBrowser, token: string, phoneNumber = phone) =>
    from.call('unlinkPhone', { token, body: { phoneNumber } })
  const accounts = () =>
    fixture.context.db
      .selectFrom('linked_accounts')
      .select(['user_id', 'type', 'identifier'])
      .where('app_id', '=', fixture.app.id)
      .execute()
  const users = () =>
    fixture.context.db.selectFrom('users').select('id').where('app_id', '=', fixture.app.id).execute()

  // spec L1.3, L5.16, L6.2, L7.12
  linkingFacts(
    () => ({
      fixture,
      type: 'phone',
      setting: 'sms_auth',
      calls: { login: 'loginWithSmsCode', link: 'linkPhone', unlink: 'unlinkPhone' },
      proof: async (person, from) => {
        const phoneNumber = person === 'Ada Lovelace' ? phone : newNumber()
        return { phoneNumber, code: await fixture.codeFor(from, phoneNumber) }
      },
      named: (phoneNumber) => ({ phoneNumber }),
      shown: { phoneNumber: phone },
    }),
    // Twilio approves a code once, so concurrent checks have their own test here.
    { racers: 1 },
  )

  describe('linking', () => {
    test('calls Twilio neither after the session ended nor for a fork', async () => {
      const session = await browser.login()
      const forked = fixture.newBrowser()
      const fork = await forkInto(forked, browser, session)
      const code = await fixture.codeFor()
      const { checks } = await twilio.counts()
      expect(await link(forked, fork.token, code)).toMatchObject({ status: 403 })
      await browser.call('logout', { body: { refresh_token: session.refresh_token } })
      expect(await link(browser, session.token, code)).toMatchObject({ status: 401 })
      expect((await twilio.counts()).checks).toBe(checks)
    })

    test('a wrong code has the same error as a login, and links nothing', async () => {
      const { token } = await browser.login()
      expect(await link(browser, token, wrongFor(await fixture.codeFor()))).toMatchObject(wrong)
      expect(await accounts()).toHaveLength(1)
    })

    test('links nothing if the session ends during the check', async () => {
      const { token, refresh_token } = await browser.login()
      const code = await fixture.codeFor()
      smsVerifier.set(fixture.context.ports, {
        ...twilio.verifier,
        async check(...guess) {
          await browser.call('logout', { body: { refresh_token } })
          return twilio.verifier.check(...guess)
        },
      })
      expect(await link(browser, token, code)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    describe('by a user with the SMS second factor', () => {
      const verifyBySms = (userId: string) =>
        fixture.context.db
          .insertInto('mfa_methods')
          .values({
            id: 'by-sms',
            app_id: fixture.app.id,
            user_id: userId,
            method: 'sms',
            status: 'enrolled',
            secret: null,
            last_step: 0,
            phone_number: '+1 2025550100',
            session_id: null,
            is_verified: 0,
            begun_at: 1,
            enrolled_at: 1,
            expires_at: null,
          })
          .execute()
      const refused = { status: 400, answer: { code: 'not_supported' } }

      test('refuses before a code is checked', async () => {
        const { token, user } = await browser.login()
        await verifyBySms(user.id)
        const code = await fixture.codeFor()
        const { checks } = await twilio.counts()
        expect(await link(browser, token, code)).toMatchObject(refused)
        expect((await twilio.counts()).checks).toBe(checks)
        expect(await accounts()).toHaveLength(1)
      })

      test('refuses if the factor was enrolled during the check', async () => {
        const { token, user } = await browser.login()
        const code = await fixture.codeFor()
        smsVerifier.set(fixture.context.ports, {
          ...twilio.verifier,
          async check(...guess) {
            await verifyBySms(user.id)
            return twilio.verifier.check(...guess)
          },
        })
        expect(await link(browser, token, code)).toMatchObject(refused)
        expect(await accounts()).toHaveLength(1)
      })
    })

    test('reports a failed check, and succeeds on a retry', async () => {
      const { token } = await browser.login()
      const code = await fixture.codeFor()
      await twilio.setFault('failing')
      expect(await link(browser, token, code)).toMatchObject({
        status: 400,
        answer: { code: 'twilio_verification_failed' },
      })
      await twilio.setFault('none')
      expect(await link(browser, token, code)).toMatchObject({ status: 200 })
    })

    // Twilio approves a code once, but two concurrent checks may both succeed.
    test('links a number to one user if two link it concurrently, and stores nothing for the other', async () => {
      const rivals = [browser, fixture.newBrowser()] as const
      const tokens: string[] = []
      for (const from of rivals) tokens.push((await from.login(`rival${tokens.length}@example.com`)).token)
      for (let round = 0; round < 5; round += 1) {
        const number = newNumber()
        for (const from of rivals) await fixture.codeFor(from, number)
        smsVerifier.set(fixture.context.ports, yesToBothAtOnce())
        const answers = await Promise.all(
          rivals.map((from, index) => link(from, tokens[index] ?? '', '123456', number)),
        )
        smsVerifier.set(fixture.context.ports, twilio.verifier)
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
        expect(answers.find(({ status }) => status === 400)?.answer).toMatchObject({
          code: 'linked_to_another_user',
        })
        const winner = answers.findIndex(({ status }) => status === 200)
        const owners = (await accounts()).filter(({ identifier }) => identifier === number)
        expect(owners).toEqual([
          { type: 'phone', identifier: number, user_id: v.parse(user, answers[winner]?.answer).id },
        ])
        expect(await fixture.audited('user.account_linked')).toHaveLength(round + 1)
        expect(await users()).toHaveLength(2)
        expect(await unlink(rivals[winner] ?? browser, tokens[winner] ?? '', number)).toMatchObject({
          status: 200,
        })
      }
    })

    test('a login during the linking assigns the number to one user', async () => {
      const { token, user: linking } = await browser.login()
      const stranger = fixture.newBrowser()
      for (const from of [browser, stranger]) await fixture.codeFor(from)
      smsVerifier.set(fixture.context.ports, yesToBothAtOnce())
      const [linked, loggedIn] = await Promise.all([
        link(browser, token, '123456'),
        fixture.login('123456', stranger),
      ])
      expect(loggedIn.status).toBe(200)
      const owners = (await accounts()).filter(({ identifier }) => identifier === phone)
      expect(owners).toHaveLength(1)
      expect(owners[0]?.user_id).toBe(userId(loggedIn.answer))
      expect(linked.status).toBe(userId(loggedIn.answer) === linking.id ? 200 : 400)
      expect(await users()).toHaveLength(linked.status === 200 ? 1 : 2)
    })
  })
})
