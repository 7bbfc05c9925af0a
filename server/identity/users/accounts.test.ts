import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { type App, releasePlace } from '../apps/apps.ts'
import { setFields } from '../apps/manage.ts'
import { findOrCreateUser, firstAccountId, linkAccount, type ProvenAccount, requireUser } from './users.ts'

const account = (identifier: string, username: string): ProvenAccount => ({
  type: 'github_oauth',
  identifier,
  profile: { subject: identifier, username },
})

forEachEngine((database) => {
  let context: TestContext
  let app: App
  beforeEach(async () => {
    context = await testContext(database())
    app = await testApp(context)
  })
  const login = (proven: ProvenAccount) =>
    context.transaction((trx) => findOrCreateUser(trx, context, app, proven))
  const userOf = async (proven: ProvenAccount) => {
    const found = await login(proven)
    if (found.type !== 'found') throw new Error('The account is refused')
    return found.userId
  }
  const link = (userId: string, proven: ProvenAccount) => {
    const owner = { appId: app.id, userId, sessionId: 'ses_1' }
    return context.transaction((trx) => linkAccount(trx, context, owner, proven))
  }
  const accountsOf = async (userId: string) => (await requireUser(context.db, app.id, userId)).linkedAccounts
  const now = () => Math.floor(context.clock.nowMs() / 1_000)

  test('a login updates the profile and the verification time', async () => {
    const first = now()
    const userId = await userOf(account('1', 'ada'))
    context.clock.advanceSeconds(3_600)
    expect(await login(account('1', 'lovelace'))).toEqual({
      type: 'found',
      userId,
      isNewUser: false,
      account: { id: expect.any(String), linkedAt: first },
    })
    expect(await accountsOf(userId)).toEqual([
      {
        type: 'github_oauth',
        subject: '1',
        username: 'lovelace',
        verifiedAt: first,
        firstVerifiedAt: first,
        latestVerifiedAt: first + 3_600,
      },
    ])
  })

  test('an account type of a newer release is omitted from the user', async () => {
    const userId = await userOf(account('1', 'ada'))
    const { db } = context
    const row = await db.selectFrom('linked_accounts').selectAll().executeTakeFirstOrThrow()
    const ofNewer = { id: 'lac_newer', type: 'of_a_newer_release', profile: '{"name":"Ada"}' }
    await db
      .insertInto('linked_accounts')
      .values({ ...row, ...ofNewer })
      .execute()
    await db
      .updateTable('linked_accounts')
      .set({ profile: JSON.stringify({ subject: '1', username: 'ada', ofNewer: 'more' }) })
      .where('id', '=', row.id)
      .execute()
    expect(await accountsOf(userId)).toMatchObject([{ type: 'github_oauth', username: 'ada' }])
  })

  test('linking one’s own account again updates its profile and adds no account', async () => {
    const userId = await userOf(account('1', 'ada'))
    context.clock.advanceSeconds(60)
    expect(await link(userId, account('1', 'lovelace'))).toEqual({ type: 'linked', again: true })
    const [linked, ...more] = await accountsOf(userId)
    expect(linked).toMatchObject({ username: 'lovelace', latestVerifiedAt: now() })
    expect(more).toEqual([])
    expect(await link(userId, account('2', 'other'))).toEqual({
      type: 'refused',
      code: 'cannot_link_more_of_type',
    })
  })

  test('a user can link a hundred wallets', async () => {
    const userId = await userOf(account('1', 'ada'))
    const wallet = (number: number): ProvenAccount => {
      const address = `0x${number.toString(16).padStart(40, '0')}`
      const profile = { address, chainType: 'ethereum', chainId: 'eip155:1', walletClient: 'unknown' }
      return { type: 'wallet', identifier: address, profile }
    }
    for (let number = 1; number <= 100; number += 1) {
      expect(await link(userId, wallet(number))).toEqual({ type: 'linked', added: expect.any(String) })
    }
    expect(await link(userId, wallet(101))).toEqual({ type: 'refused', code: 'cannot_link_more_of_type' })
    expect(await link(userId, wallet(100))).toEqual({ type: 'linked', again: true })
    expect(await accountsOf(userId)).toHaveLength(101)
  })

  describe('the sign-up account', () => {
    const signUp = async () => {
      const found = await login(account('1', 'ada'))
      if (found.type !== 'found') throw new Error('The account is refused')
      await link(found.userId, {
        type: 'email',
        identifier: 'e@example.com',
        profile: { address: 'e@example.com' },
      })
      return { userId: found.userId, first: found.account.id }
    }
    const forget = () => context.db.updateTable('users').set({ first_account_id: null }).execute()

    test('the sign-up account is known by its id, even if another was linked in the same second', async () => {
      const { userId, first } = await signUp()
      expect(await firstAccountId(context.db, userId)).toBe(first)
    })

    test('the sign-up account of an older release is the only account of that second', async () => {
      const { userId, first } = await signUp()
      await forget()
      expect(await firstAccountId(context.db, userId)).toBeUndefined()
      await context.db.deleteFrom('linked_accounts').where('type', '=', 'email').execute()
      expect(await firstAccountId(context.db, userId)).toBe(first)
    })
  })

  test('linking an account of another user is refused and changes nothing', async () => {
    const owner = await userOf(account('1', 'ada'))
    const other = await userOf({
      type: 'email',
      identifier: 'e@example.com',
      profile: { address: 'e@example.com' },
    })
    const before = await accountsOf(owner)
    context.clock.advanceSeconds(60)
    expect(await link(other, account('1', 'mallory'))).toEqual({
      type: 'refused',
      code: 'linked_to_another_user',
    })
    expect(await accountsOf(owner)).toEqual(before)
    expect((await accountsOf(other)).map((one) => one.type)).toEqual(['email'])
  })

  describe('an app with a user limit', () => {
    const limitTo = async (users: number | null) => {
      await context.transaction((trx) => setFields(trx, context.clock, app.id, [['max_users', users]]))
      app = { ...app, maxUsers: users }
    }
    const counted = async () =>
      (await context.db.selectFrom('user_counts').select('users').executeTakeFirst())?.users

    test('the limit counts existing users', async () => {
      await login(account('1', 'ada'))
      await login(account('2', 'grace'))
      await limitTo(3)
      expect(await login(account('3', 'mary'))).toMatchObject({ type: 'found', isNewUser: true })
      expect(await login(account('4', 'joan'))).toEqual({ type: 'refused', code: 'max_accounts_reached' })
      expect(await login(account('1', 'ada'))).toMatchObject({ type: 'found', isNewUser: false })
      expect(await counted()).toBe(3)
      await limitTo(4)
      expect(await login(account('4', 'joan'))).toMatchObject({ type: 'found', isNewUser: true })
    })

    test('concurrent logins get as many places as remain', async () => {
      await limitTo(5)
      const logins = Array.from({ length: 12 }, (_, at) => login(account(`${at}`, 'somebody')))
      const outcomes = await Promise.all(logins)
      expect(outcomes.filter(({ type }) => type === 'found')).toHaveLength(5)
      expect(outcomes.filter(({ type }) => type === 'refused')).toHaveLength(7)
      expect(await counted()).toBe(5)
      expect(await context.db.selectFrom('users').selectAll().execute()).toHaveLength(5)
    })

    test('concurrent logins with the same account take one place', async () => {
      await limitTo(2)
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => login(account('1', 'ada'))))
      expect(outcomes.map(({ type }) => type)).toEqual(['found', 'found', 'found', 'found'])
      expect(await counted()).toBe(1)
    })

    test('a rolled-back login and a removed user release their places', async () => {
      await limitTo(1)
      const failing = context.transaction(async (trx) => {
        await findOrCreateUser(trx, context, app, account('1', 'ada'))
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await login(account('2', 'grace'))).toMatchObject({ type: 'found' })
      expect(await login(account('3', 'mary'))).toMatchObject({ type: 'refused' })
      await context.transaction((trx) => releasePlace(trx, app.id))
      expect(await login(account('3', 'mary'))).toMatchObject({ type: 'found' })
    })
  })
})
