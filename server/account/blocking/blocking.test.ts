import { sql } from 'kysely'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { findOrCreateUser } from '../../identity/users/users.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { letIn } from '../../login/proven.ts'
import { type AppFixture, appFixture } from '../../testing/fixture.ts'
import { blockUser, unblockUser } from './blocking.ts'

const email = 'ada@example.com'

forEachEngine((database, engine) => {
  let fixture: AppFixture
  beforeEach(async () => {
    fixture = await appFixture(database())
  })
  const logIn = async () => {
    const code = await fixture.browser.codeFor(email)
    return fixture.browser.call('loginWithEmailCode', { body: { email, code } })
  }
  const ownerOf = (userId: string) => ({ appId: fixture.app.id, userId })
  const block = (userId: string, reason: string | null = null) =>
    fixture.context.transaction((trx) => blockUser(trx, fixture.context, ownerOf(userId), reason))
  const unblock = (userId: string) =>
    fixture.context.transaction((trx) => unblockUser(trx, fixture.context, ownerOf(userId)))

  test('a blocked user can neither use a session, nor refresh it, nor log in, until they are unblocked', async () => {
    const session = v.parse(sessionAnswer, (await logIn()).answer)
    const { token, refresh_token, user } = session
    expect(await block(user.id, 'chargeback')).toBe(1)
    expect(await fixture.browser.call('me', { token })).toMatchObject({ status: 401 })
    expect(await fixture.browser.call('refreshSession', { token, body: { refresh_token } })).toMatchObject({
      answer: { code: 'missing_or_invalid_token' },
    })
    expect(await logIn()).toMatchObject({ status: 401, answer: { code: 'allowlist_rejected' } })
    expect(await fixture.audited('session.started')).toHaveLength(1)
    expect(await fixture.audited('user.blocked_by_operator')).toEqual([
      { userId: user.id, details: { sessions: 1 } },
    ])

    expect(await unblock(user.id)).toBe(true)
    expect(await logIn()).toMatchObject({
      status: 200,
      answer: { user: { id: user.id }, is_new_user: false },
    })
    expect(await fixture.audited('user.unblocked_by_operator')).toHaveLength(1)
  })

  test('a second block keeps the first, and an unblock without a block changes nothing', async () => {
    const { user } = v.parse(sessionAnswer, (await logIn()).answer)
    expect(await unblock(user.id)).toBe(false)
    await block(user.id, 'first')
    expect(await block(user.id, 'second')).toBeUndefined()
    const row = await fixture.context.db.selectFrom('users').select('block_reason').executeTakeFirst()
    expect(row).toEqual({ block_reason: 'first' })
  })

  test('a session that an earlier release started for a blocked user cannot be refreshed', async () => {
    const { token, refresh_token, user } = v.parse(sessionAnswer, (await logIn()).answer)
    await block(user.id)
    await fixture.context.db.updateTable('sessions').set({ revoked_at: null }).execute()
    expect(await fixture.browser.call('refreshSession', { token, body: { refresh_token } })).toMatchObject({
      status: 401,
      answer: { code: 'must_be_authenticated' },
    })
  })

  test('a block ends the session of a login that commits during the block', async () => {
    const { user } = v.parse(sessionAnswer, (await logIn()).answer)
    const { context, app } = fixture
    let blocking: Promise<unknown> | undefined
    await context.transaction(async (trx) => {
      const account = { type: 'email', identifier: email, profile: { address: email } } as const
      const found = await findOrCreateUser(trx, context, app, account)
      if (found.type === 'refused') throw new Error('The account is refused')
      const browser = { key: 'k', device: null }
      await letIn(trx, context, { appId: app.id, ...found, method: 'email' }, browser)
      let isBlocked = false
      blocking ??= block(user.id).finally(() => {
        isBlocked = true
      })
      // PostgreSQL runs both transactions at once: the block waits for the lock of the account.
      while (engine === 'postgres' && !isBlocked && !(await isAnyoneWaiting())) {}
    })
    await blocking
    const alive = await context.db
      .selectFrom('sessions')
      .select('id')
      .where('revoked_at', 'is', null)
      .execute()
    expect(alive).toEqual([])
  })

  const isAnyoneWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database().db)
    return Number(rows[0]?.waiting) > 0
  }
})
