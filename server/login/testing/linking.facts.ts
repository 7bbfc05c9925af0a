/** Tests of linking and unlinking that apply to every login method. */
import type { apiRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { forkInto, sessionAnswer, type TestBrowser } from '../../identity/sessions/testing/browser.ts'
import type { AppFixture } from '../../testing/fixture.ts'

type RouteName = keyof typeof apiRoutes
/** Two people with an account of the method. */
export type Person = 'Ada Lovelace' | 'Ben Okri'

export type LinkedMethod = {
  fixture: Pick<AppFixture, 'context' | 'browser' | 'newBrowser' | 'audited' | 'set'>
  /** The type of the method's accounts. */
  type: string
  /** The app setting that disables the method. */
  setting: string
  calls: { login: RouteName; link: RouteName; unlink: RouteName }
  /** Creates the request body that links this person's account. */
  proof: (person: Person, from: TestBrowser, token: string) => Promise<object>
  /** Creates the body of a login, if it differs. */
  loginProof?: (person: Person, from: TestBrowser) => Promise<object>
  named: (identifier: string) => object
  /** The account in the user record. */
  shown: object
}
type Options = {
  /** Whether a user may link several accounts of the type. */
  several?: boolean
  /** The number of users who link one account concurrently. Some services accept each proof once. */
  racers?: number
  /** The result of a login with an unlinked account. Most methods create a new user. */
  unknown?: 'a new user' | 'a refusal'
}

const email = 'ada@example.com'

export function linkingFacts(
  methodOf: () => LinkedMethod,
  { several = false, racers = 6, unknown = 'a new user' }: Options = {},
) {
  const ada: Person = 'Ada Lovelace'
  const ben: Person = 'Ben Okri'

  async function link(token: string, from = methodOf().fixture.browser, person = ada) {
    const { calls, proof } = methodOf()
    return from.call(calls.link, { token, body: await proof(person, from, token) })
  }
  async function logIn() {
    const { fixture, calls, proof, loginProof } = methodOf()
    const from = fixture.newBrowser()
    const body = loginProof ? await loginProof(ada, from) : await proof(ada, from, '')
    return from.call(calls.login, { body })
  }
  async function userWhoLogsIn() {
    const login = await logIn()
    expect(login).toMatchObject({ status: 200 })
    return v.parse(sessionAnswer, login.answer).user.id
  }
  const accounts = () =>
    methodOf()
      .fixture.context.db.selectFrom('linked_accounts')
      .select(['user_id', 'type', 'identifier'])
      .orderBy('identifier')
      .execute()
  const ofMethod = async () => (await accounts()).filter(({ type }) => type === methodOf().type)
  /** Creates a user with an e-mail address who linked Ada's account. */
  async function linkedUser(from = methodOf().fixture.browser) {
    const session = await from.login(email)
    expect(await link(session.token, from)).toMatchObject({ status: 200 })
    const [account] = await ofMethod()
    return { ...session, body: methodOf().named(account?.identifier ?? '') }
  }
  const unlink = (token: string, body: object, requestId?: string) => {
    const { calls, fixture } = methodOf()
    return fixture.browser.call(calls.unlink, { token, body, ...(requestId !== undefined && { requestId }) })
  }

  describe('linking', () => {
    test('adds the account to the user, who then logs in with it', async () => {
      const { fixture, type, shown } = methodOf()
      const { token, user } = await fixture.browser.login(email)
      expect(await link(token)).toMatchObject({
        status: 200,
        answer: {
          id: user.id,
          linked_accounts: expect.arrayContaining([expect.objectContaining({ type, ...shown })]),
        },
      })
      expect(await userWhoLogsIn()).toBe(user.id)
    })

    test('notifies the user by mail once, and so does an unlinking', async () => {
      const { context } = methodOf().fixture
      const { token, body } = await linkedUser()
      const told = () =>
        context.mails
          .filter(({ subject }) => subject.includes('way to log in'))
          .map(({ to, subject }) => [to, subject])
      const added = [email, 'A way to log in was added to your Fieldnotes account']
      expect(told()).toEqual([added])
      await unlink(token, body)
      await unlink(token, body)
      expect(told()).toEqual([added, [email, 'A way to log in was removed from your Fieldnotes account']])
    })

    const ofSecondAccount = async () => {
      const { fixture, type } = methodOf()
      const { token } = await linkedUser()
      expect(await link(token, fixture.browser, ben)).toMatchObject({
        status: 400,
        answer: {
          code: 'cannot_link_more_of_type',
          error: `User already has an account of type ${type} linked.`,
        },
      })
      expect(await ofMethod()).toHaveLength(1)
    }
    if (!several) test('of a second account of its type is refused', ofSecondAccount)

    test('of an account of another user is rejected and changes nothing', async () => {
      const { browser, newBrowser } = methodOf().fixture
      const owner = await linkedUser(newBrowser())
      const { token } = await browser.login('ben@example.com')
      const before = await accounts()
      expect(await link(token)).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await accounts()).toEqual(before)
      expect(await userWhoLogsIn()).toBe(owner.user.id)
    })

    const bySeveralAtOnce = async () => {
      const { fixture, calls, proof, type } = methodOf()
      const all = []
      for (let racer = 0; racer < racers; racer += 1) {
        const from = fixture.newBrowser()
        const { token } = await from.login(`racer${racer}@example.com`)
        all.push({ from, token, body: await proof(ada, from, token) })
      }
      const answers = await Promise.all(
        all.map(({ from, token, body }) => from.call(calls.link, { token, body })),
      )
      const losers = answers.filter(({ status }) => status !== 200)
      expect(losers).toHaveLength(racers - 1)
      for (const loser of losers)
        expect(loser).toMatchObject({ status: 400, answer: { code: 'linked_to_another_user' } })
      const rows = await ofMethod()
      expect(rows).toHaveLength(1)
      expect(await accounts()).toHaveLength(racers + 1)
      expect(await fixture.audited('user.account_linked')).toEqual(
        rows.map(({ user_id }) => ({ userId: user_id, details: { account: type } })),
      )
    }
    if (racers > 1)
      test(
        'of one account by several users concurrently succeeds once, and leaves no incomplete rows',
        bySeveralAtOnce,
      )

    test('is rejected for a fork', async () => {
      const { browser, newBrowser } = methodOf().fixture
      const session = await browser.login(email)
      const forked = newBrowser()
      const { calls, proof } = methodOf()
      const body = await proof(ada, browser, session.token)
      const fork = await forkInto(forked, browser, session)
      expect(await forked.call(calls.link, { token: fork.token, body })).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
      expect(await accounts()).toHaveLength(1)
    })

    test('needs the session to be alive', async () => {
      const { fixture, calls, proof } = methodOf()
      const { token, refresh_token } = await fixture.browser.login(email)
      const body = await proof(ada, fixture.browser, token)
      await fixture.browser.call('logout', { body: { refresh_token } })
      expect(await fixture.browser.call(calls.link, { token, body })).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    test('links nothing if the session ended after the authentication', async () => {
      const { fixture, calls, proof } = methodOf()
      const { token, refresh_token } = await fixture.browser.login(email)
      const body = await proof(ada, fixture.browser, token)
      const caller = await fixture.context.verifyToken(token)
      await fixture.browser.call('logout', { body: { refresh_token } })
      vi.spyOn(fixture.context, 'verifyToken').mockResolvedValue(caller)
      expect(await fixture.browser.call(calls.link, { token, body })).toMatchObject({
        status: 401,
        answer: { code: 'missing_or_invalid_token' },
      })
      expect(await accounts()).toHaveLength(1)
    })
  })

  describe('unlinking', () => {
    test(`removes the account from the user, and a login with it returns ${unknown}`, async () => {
      const { fixture, type } = methodOf()
      const { token, user, body } = await linkedUser()
      expect(await unlink(token, body)).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ type: 'email' }] },
      })
      expect(await fixture.audited('user.account_unlinked')).toEqual([
        { userId: user.id, details: { account: type } },
      ])
      const login = await logIn()
      expect(login.status).toBe(unknown === 'a new user' ? 200 : 422)
      const found = v.safeParse(sessionAnswer, login.answer)
      expect(found.success && found.output.user.id).not.toBe(user.id)
    })

    test('repeated after a lost response returns the same user, and otherwise finds no account', async () => {
      const { token, body } = await linkedUser()
      const first = await unlink(token, body, 'unlink-once')
      expect(first).toMatchObject({ status: 200 })
      expect(await unlink(token, body, 'unlink-once')).toMatchObject({ status: 200, answer: first.answer })
      expect(await unlink(token, body)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
    })

    test('of the last account is rejected, and it still logs in its user', async () => {
      const { browser } = methodOf().fixture
      const { token, user, body } = await linkedUser()
      expect(await browser.call('unlinkEmail', { token, body: { address: email } })).toMatchObject({
        status: 200,
      })
      expect(await unlink(token, body)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      expect(await accounts()).toMatchObject([{ type: methodOf().type }])
      expect(await userWhoLogsIn()).toBe(user.id)
    })

    test('of the last two accounts concurrently leaves one', async () => {
      const { browser } = methodOf().fixture
      const { token, body } = await linkedUser()
      const answers = await Promise.all([
        unlink(token, body),
        browser.call('unlinkEmail', { token, body: { address: email } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)?.answer).toMatchObject({
        code: 'cannot_unlink_sole_account',
      })
      expect(await accounts()).toHaveLength(1)
    })

    test('of an account of another user finds none, and theirs stays', async () => {
      const { browser, newBrowser } = methodOf().fixture
      const owner = await linkedUser(newBrowser())
      const { token } = await browser.login('ben@example.com')
      const before = await accounts()
      expect(await unlink(token, owner.body)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
      expect(await accounts()).toEqual(before)
      expect(await userWhoLogsIn()).toBe(owner.user.id)
    })

    test('works if the app disabled the method', async () => {
      const { fixture, setting } = methodOf()
      const { token, body } = await linkedUser()
      await fixture.set([[setting, false]])
      expect(await unlink(token, body)).toMatchObject({ status: 200 })
    })

    test('needs the session to be alive', async () => {
      const { browser } = methodOf().fixture
      const { token, refresh_token, body } = await linkedUser()
      await browser.call('logout', { body: { refresh_token } })
      expect(await unlink(token, body)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(2)
    })
  })
}
