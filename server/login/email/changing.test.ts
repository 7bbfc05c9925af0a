/** Changing and unlinking e-mail addresses. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { type TestBrowser, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'

const old = 'ada@example.com'
const next = 'ada@new.example'

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let newBrowser: () => TestBrowser
  let browser: TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    app = await testApp(context)
    newBrowser = () => testBrowser(testServer(context), context, app)
    browser = newBrowser()
  })

  const update = async (
    from: TestBrowser,
    token: string,
    { oldAddress = old, newAddress = next, code = '' } = {},
  ) =>
    from.call('updateEmail', {
      token,
      body: { oldAddress, newAddress, code: code || (await from.codeFor(newAddress)) },
    })
  const unlink = (token: string, address = old) => browser.call('unlinkEmail', { token, body: { address } })
  const accounts = () =>
    context.db
      .selectFrom('linked_accounts')
      .select(['user_id', 'type', 'identifier'])
      .where('app_id', '=', app.id)
      .orderBy('identifier')
      .execute()

  /** A user whose only account is a phone number links an address. */
  const link = async (from: TestBrowser, token: string) => {
    const body = { email: next, code: await from.codeFor(next) }
    return from.call('linkEmail', { token, body })
  }
  const withNumberAlone = async () => {
    const session = await browser.login(old)
    await context.db
      .updateTable('linked_accounts')
      .set({ type: 'phone', identifier: '+1 2025550123', profile: '{"phoneNumber":"+1 2025550123"}' })
      .where('identifier', '=', old)
      .execute()
    return session
  }

  test.each([
    ['changed to', () => browser.login(old), update],
    ['linked', withNumberAlone, link],
  ])(
    'a code that was %s gives its browser its own quota, which others can not use up',
    async (_what, begin, prove) => {
      const { token } = await begin()
      expect(await prove(browser, token)).toMatchObject({ status: 200 })
      const [stranger, other] = [newBrowser(), newBrowser()]
      const codes = [await stranger.codeFor(next), await other.codeFor(next), await browser.codeFor(next)]
      const wrong = ['000000', '111111', '222222', '333333'].find((code) => !codes.includes(code))
      const guess = (from: TestBrowser, code = wrong) =>
        from.call('loginWithEmailCode', { body: { email: next, code } })
      for (let turn = 0; turn < 5; turn += 1) expect(await guess(stranger)).toMatchObject({ status: 422 })
      expect(await guess(other, codes[1])).toMatchObject({ status: 429 })
      expect(await guess(browser, codes[2])).toMatchObject({ status: 200 })
    },
  )

  // spec L1.2
  test('links an address by its code, which then logs in the same user', async () => {
    const { token, user } = await withNumberAlone()
    context.clock.advanceSeconds(1)
    const wrong = (await browser.codeFor(next)) === '000000' ? '111111' : '000000'
    expect(await browser.call('linkEmail', { token, body: { email: next, code: wrong } })).toMatchObject({
      status: 422,
    })
    expect(await link(browser, token)).toMatchObject({
      status: 200,
      answer: { id: user.id, linked_accounts: [{ type: 'phone' }, { type: 'email', address: next }] },
    })
    expect((await newBrowser().login(next)).user.id).toBe(user.id)
  })

  describe('changing an address', () => {
    // spec L2.51, L6.2, L7.39
    test('replaces the old address, and each then logs in the right user', async () => {
      const { token, user } = await browser.login(old)
      expect(await update(browser, token)).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ type: 'email', address: next }] },
      })
      expect((await newBrowser().login(next)).user.id).toBe(user.id)
      expect((await newBrowser().login(old)).user.id).not.toBe(user.id)
    })

    test('notifies the old address', async () => {
      const { token } = await browser.login(old)
      const taken = 'This address was removed from your Fieldnotes account'
      const told = () => context.mails.filter(({ subject }) => subject === taken).map(({ to }) => to)
      expect(await update(browser, token, { code: '000000' })).toMatchObject({ status: 422 })
      expect(told()).toEqual([])
      await update(browser, token)
      expect(told()).toEqual([old])
    })

    test('requires the code of the new address', async () => {
      const { token, user } = await browser.login(old)
      await browser.codeFor(next)
      const code = await browser.codeFor(old)
      expect(await update(browser, token, { code })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_credentials' },
      })
      expect(await accounts()).toEqual([{ user_id: user.id, type: 'email', identifier: old }])
    })

    // spec L5.19
    test('requires the user’s own old address', async () => {
      const { token } = await browser.login(old)
      await newBrowser().login('eve@example.com')
      const before = await accounts()
      expect(await update(browser, token, { oldAddress: 'eve@example.com' })).toMatchObject({
        answer: { code: 'linked_account_not_found' },
      })
      expect(await accounts()).toEqual(before)
    })

    test('refuses another user’s address and leaves both unchanged', async () => {
      await newBrowser().login(next)
      const { token } = await browser.login(old)
      const before = await accounts()
      expect(await update(browser, token)).toMatchObject({ answer: { code: 'linked_to_another_user' } })
      expect(await accounts()).toEqual(before)
    })

    test('returns the user for the same address', async () => {
      const { token, user } = await browser.login(old)
      expect(await update(browser, token, { newAddress: old })).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ address: old }] },
      })
    })

    test('gives a new address to one of two concurrent users, and leaves the other unchanged', async () => {
      const [one, other] = [newBrowser(), newBrowser()]
      const first = await one.login('one@example.com')
      const second = await other.login('two@example.com')
      const codes = [await one.codeFor(next), await other.codeFor(next)]
      const answers = await Promise.all([
        update(one, first.token, { oldAddress: 'one@example.com', code: codes[0] ?? '' }),
        update(other, second.token, { oldAddress: 'two@example.com', code: codes[1] ?? '' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers).toContainEqual(
        expect.objectContaining({ answer: expect.objectContaining({ code: 'linked_to_another_user' }) }),
      )
      const owners = await accounts()
      expect(owners).toHaveLength(2)
      expect(new Set(owners.map(({ user_id }) => user_id)).size).toBe(2)
      expect(owners.filter(({ identifier }) => identifier === next)).toHaveLength(1)
    })
  })

  describe('unlinking', () => {
    // spec L7.11
    test('unlinks the address of a user with another account', async () => {
      const { token, user } = await browser.login(old)
      const owner = { appId: app.id, userId: user.id, sessionId: 'ses_1' }
      const profile = { phoneNumber: '+1 2025550123' }
      const phone = { type: 'phone', identifier: profile.phoneNumber, profile } as const
      await context.transaction((trx) => linkAccount(trx, context, owner, phone))
      await newBrowser().login('eve@example.com')
      expect(await unlink(token, 'eve@example.com')).toMatchObject({
        answer: { code: 'linked_account_not_found' },
      })
      expect(await unlink(token)).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ type: 'phone' }] },
      })
    })

    test('keeps the last account', async () => {
      const { token } = await browser.login(old)
      expect(await unlink(token)).toMatchObject({ answer: { code: 'cannot_unlink_sole_account' } })
      expect(await accounts()).toHaveLength(1)
    })
  })
})
