import { beforeEach, expect, test } from 'vitest'
import type { App } from '../apps/apps.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../testing/context.ts'
import { findOrCreateUser, linkAccount, type ProvenAccount, requireUser } from './users.ts'

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

  test('a login with an account whose profile changed writes the new one, and when', async () => {
    const first = now()
    const userId = await userOf(account('1', 'ada'))
    context.clock.advanceSeconds(3_600)
    expect(await login(account('1', 'lovelace'))).toEqual({ type: 'found', userId, isNewUser: false })
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

  test("linking one's own again succeeds, with the profile of now, and makes no second account", async () => {
    const userId = await userOf(account('1', 'ada'))
    context.clock.advanceSeconds(60)
    expect(await link(userId, account('1', 'lovelace'))).toEqual({ type: 'linked' })
    const [linked, ...more] = await accountsOf(userId)
    expect(linked).toMatchObject({ username: 'lovelace', latestVerifiedAt: now() })
    expect(more).toEqual([])
    expect(await link(userId, account('2', 'other'))).toEqual({
      type: 'refused',
      code: 'cannot_link_more_of_type',
    })
  })

  test("linking somebody else's is refused and leaves it as it is", async () => {
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
})
