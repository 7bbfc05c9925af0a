/** A number that is added to a user, and taken from them. */
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { forkInto, sessionAnswer, type TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { unlinkAccount } from '../../identity/users/users.ts'
import { type SmsVerifier, smsVerifier } from '../../integrations/sms/verifier.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { newNumber, type SmsWorld, smsWorld, startTwilio, wrong, wrongFor } from './testing/world.ts'

const twilio = await startTwilio()
afterEach(() => twilio.setFault('none'))

const user = v.object({ id: v.string() })
const userId = (answer: unknown) => v.parse(sessionAnswer, answer).user.id
/** Says yes once both have asked, so that what they decide comes at the same moment. */
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
const phoneAccount = (phoneNumber: string) => expect.objectContaining({ type: 'phone', phoneNumber })

forEachEngine((database) => {
  let world: SmsWorld
  let browser: TestBrowser
  let phone = ''
  beforeEach(async () => {
    world = await smsWorld(database(), twilio)
    ;({ browser, phone } = world)
  })

  const link = (from: TestBrowser, token: string, code: string, phoneNumber = phone) =>
    from.call('linkPhone', { token, body: { phoneNumber, code } })
  const unlink = (from: TestBrowser, token: string, phoneNumber = phone) =>
    from.call('unlinkPhone', { token, body: { phoneNumber } })
  const accounts = () =>
    world.context.db
      .selectFrom('linked_accounts')
      .select(['user_id', 'type', 'identifier'])
      .where('app_id', '=', world.app.id)
      .execute()
  const users = () =>
    world.context.db.selectFrom('users').select('id').where('app_id', '=', world.app.id).execute()

  describe('linking', () => {
    // spec L1.3
    test('adds the number to the user, who then logs in with it', async () => {
      const { token, user } = await browser.login()
      expect(await link(browser, token, await world.codeFor())).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: expect.arrayContaining([phoneAccount(phone)]) },
      })
      const { answer } = await world.login(await world.codeFor())
      expect(userId(answer)).toBe(user.id)
    })

    test('with a wrong code is refused in the words of a login, and links nothing', async () => {
      const { token } = await browser.login()
      expect(await link(browser, token, wrongFor(await world.codeFor()))).toMatchObject(wrong)
      expect(await accounts()).toHaveLength(1)
    })

    // spec L5.16
    test('a second number of a user is refused by its type', async () => {
      const { token } = await browser.login()
      await link(browser, token, await world.codeFor())
      const second = newNumber()
      expect(await link(browser, token, await world.codeFor(browser, second), second)).toMatchObject({
        status: 400,
        answer: {
          code: 'cannot_link_more_of_type',
          error: 'User already has an account of type phone linked.',
        },
      })
    })

    test('the number of another user stays theirs', async () => {
      const owner = await world.login(await world.codeFor())
      const { token } = await browser.login()
      const before = await accounts()
      expect(await link(browser, token, await world.codeFor())).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await accounts()).toEqual(before)
      expect(userId((await world.login(await world.codeFor())).answer)).toBe(userId(owner.answer))
    })

    test('needs the session to be alive, and is not for a fork', async () => {
      const session = await browser.login()
      const forked = world.newBrowser()
      const fork = await forkInto(forked, browser, session)
      const { token, refresh_token } = session
      expect(await link(forked, fork.token, await world.codeFor(forked))).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
      const code = await world.codeFor()
      await browser.call('logout', { body: { refresh_token } })
      const { checks } = await twilio.counts()
      expect(await link(browser, token, code)).toMatchObject({ status: 401 })
      expect((await twilio.counts()).checks).toBe(checks)
      expect(await accounts()).toHaveLength(1)
    })

    test('links nothing where the session ends while the code is checked', async () => {
      const { token, refresh_token } = await browser.login()
      const code = await world.codeFor()
      smsVerifier.put(world.context.ports, {
        ...twilio.verifier,
        async check(...guess) {
          await browser.call('logout', { body: { refresh_token } })
          return twilio.verifier.check(...guess)
        },
      })
      expect(await link(browser, token, code)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    describe('by a user whom SMS verifies, for whom it would be both factors,', () => {
      const verifyBySms = (userId: string) =>
        world.context.db
          .insertInto('mfa_methods')
          .values({
            id: 'by-sms',
            app_id: world.app.id,
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

      test('is refused before a code is checked', async () => {
        const { token, user } = await browser.login()
        await verifyBySms(user.id)
        const code = await world.codeFor()
        const { checks } = await twilio.counts()
        expect(await link(browser, token, code)).toMatchObject(refused)
        expect((await twilio.counts()).checks).toBe(checks)
        expect(await accounts()).toHaveLength(1)
      })

      test('is refused where it came to that while the code was checked', async () => {
        const { token, user } = await browser.login()
        const code = await world.codeFor()
        smsVerifier.put(world.context.ports, {
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

    test('that the service could not check is told, and goes through once it can', async () => {
      const { token } = await browser.login()
      const code = await world.codeFor()
      await twilio.setFault('failing')
      expect(await link(browser, token, code)).toMatchObject({
        status: 400,
        answer: { code: 'twilio_verification_failed' },
      })
      await twilio.setFault('none')
      expect(await link(browser, token, code)).toMatchObject({ status: 200 })
    })

    // Twilio approves a code once; one that is asked by two processes may say yes to both.
    test('of two users who link one number at once one wins, and nothing of the other is half made', async () => {
      const rivals = [browser, world.newBrowser()] as const
      const tokens: string[] = []
      for (const from of rivals) tokens.push((await from.login(`rival${tokens.length}@example.com`)).token)
      for (let round = 0; round < 5; round += 1) {
        const number = newNumber()
        for (const from of rivals) await world.codeFor(from, number)
        smsVerifier.put(world.context.ports, yesToBothAtOnce())
        const answers = await Promise.all(
          rivals.map((from, index) => link(from, tokens[index] ?? '', '123456', number)),
        )
        smsVerifier.put(world.context.ports, twilio.verifier)
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
        expect(answers.find(({ status }) => status === 400)?.answer).toMatchObject({
          code: 'linked_to_another_user',
        })
        const winner = answers.findIndex(({ status }) => status === 200)
        const owners = (await accounts()).filter(({ identifier }) => identifier === number)
        expect(owners).toEqual([
          { type: 'phone', identifier: number, user_id: v.parse(user, answers[winner]?.answer).id },
        ])
        expect(await world.audited('user.account_linked')).toHaveLength(round + 1)
        expect(await users()).toHaveLength(2)
        expect(await unlink(rivals[winner] ?? browser, tokens[winner] ?? '', number)).toMatchObject({
          status: 200,
        })
      }
    })

    test('a login with the number while it is linked gives it to one of the two', async () => {
      const { token, user: linking } = await browser.login()
      const stranger = world.newBrowser()
      for (const from of [browser, stranger]) await world.codeFor(from)
      smsVerifier.put(world.context.ports, yesToBothAtOnce())
      const [linked, loggedIn] = await Promise.all([
        link(browser, token, '123456'),
        world.login('123456', stranger),
      ])
      expect(loggedIn.status).toBe(200)
      const owners = (await accounts()).filter(({ identifier }) => identifier === phone)
      expect(owners).toHaveLength(1)
      expect(owners[0]?.user_id).toBe(userId(loggedIn.answer))
      expect(linked.status).toBe(userId(loggedIn.answer) === linking.id ? 200 : 400)
      expect(await users()).toHaveLength(linked.status === 200 ? 1 : 2)
    })
  })

  describe('unlinking', () => {
    // spec L7.12, L6.2
    test('takes the number, and who logs in with it from then on is somebody new', async () => {
      const { token, user } = await browser.login()
      await link(browser, token, await world.codeFor())
      expect(await unlink(browser, token)).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ type: 'email' }] },
      })
      expect(await world.audited('user.account_unlinked')).toEqual([
        { userId: user.id, details: { account: 'phone' } },
      ])
      expect(userId((await world.login(await world.codeFor())).answer)).not.toBe(user.id)
    })

    test('asked again after a lost answer gives the same user', async () => {
      const { token } = await browser.login()
      await link(browser, token, await world.codeFor())
      const once = { token, body: { phoneNumber: phone }, requestId: 'unlink-once' }
      const first = await browser.call('unlinkPhone', once)
      expect(first).toMatchObject({ status: 200 })
      expect(await browser.call('unlinkPhone', once)).toMatchObject({ status: 200, answer: first.answer })
      expect(await unlink(browser, token)).toMatchObject({ status: 404 })
    })

    test('leaves the last account', async () => {
      const { answer } = await world.login(await world.codeFor())
      const { token } = v.parse(sessionAnswer, answer)
      expect(await unlink(browser, token)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      expect(await accounts()).toMatchObject([{ identifier: phone }])
    })

    test('of the last two accounts at once leaves one', async () => {
      const { token } = await browser.login()
      await link(browser, token, await world.codeFor())
      const { context, app } = world
      const [first] = await accounts()
      const owner = { appId: app.id, userId: first?.user_id ?? '', sessionId: 'ses_1' }
      const both = (await accounts()).map(({ identifier, type }) => ({
        type: v.parse(v.picklist(['email', 'phone']), type),
        identifier,
      }))
      const outcomes = await Promise.all(
        both.map((account) => context.transaction((trx) => unlinkAccount(trx, context, owner, account))),
      )
      expect(outcomes).toContainEqual(expect.objectContaining({ type: 'unlinked' }))
      expect(outcomes).toContainEqual({ type: 'refused', code: 'cannot_unlink_sole_account' })
      expect(await accounts()).toHaveLength(1)
    })

    test("a number that the user has not, and somebody else's, is not found and stays", async () => {
      const owner = world.newBrowser()
      const theirs = newNumber()
      await world.login(await world.codeFor(owner, theirs), owner, undefined, theirs)
      const { token } = await browser.login()
      const before = await accounts()
      for (const number of [theirs, newNumber()]) {
        expect(await unlink(browser, token, number)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
      }
      expect(await accounts()).toEqual(before)
    })

    test('needs no SMS: it works where the app has them off', async () => {
      const { token } = await browser.login()
      await link(browser, token, await world.codeFor())
      await setFields(world.context.db, world.context.clock, world.app.id, [['sms_auth', false]])
      world.context.clock.advanceSeconds(5)
      expect(await unlink(browser, token)).toMatchObject({ status: 200 })
    })

    test('needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      await link(browser, token, await world.codeFor())
      await browser.call('logout', { body: { refresh_token } })
      expect(await unlink(browser, token)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(2)
    })
  })
})
