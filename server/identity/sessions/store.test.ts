/** Tests the conditions of each statement, which serialize concurrent calls. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { createSessionCode } from './handover/forks.ts'
import { newSession } from './new-session.ts'
import {
  findSession,
  insertSession,
  isAlive,
  removeSessionCodes,
  revoke,
  startFork,
  useSessionCode,
} from './store.ts'

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'usr_1' }
const provenKey = 'k'.repeat(43)

forEachEngine((database) => {
  let context: TestContext
  let now: number
  beforeEach(async () => {
    context = await testContext(database())
    now = Math.floor(context.clock.nowMs() / 1_000)
  })

  const insertLogin = async () => {
    const session = newSession(context, owner, { kind: 'login', device: null, key: provenKey })
    await insertSession(context.db, session)
    return session
  }
  const insertWaiting = async (familyId: string) => {
    const session = newSession(context, owner, { kind: 'waiting-fork', familyId })
    await insertSession(context.db, session)
    return session
  }
  const revokedAt = async (id: string) => (await findSession(context.db, id))?.revoked_at

  test('a login session starts immediately, a waiting fork does not', async () => {
    const login = await insertLogin()
    expect(login).toMatchObject({ kind: 'login', family_id: login.id, counter: 1, started_at: now })
    expect(await insertWaiting(login.id)).toMatchObject({
      kind: 'fork',
      family_id: login.id,
      counter: 0,
      started_at: null,
      key_thumbprint: null,
      expires_at: now + 60,
    })
  })

  describe('starting a fork', () => {
    const startOf = (id: string, from = 0) =>
      startFork(context.db, {
        id,
        from,
        nowMs: 1_000 * now,
        nowSeconds: now,
        expiresAt: now + 1,
        keyThumbprint: provenKey,
      })

    test('a fork starts once, regardless of its token’s number', async () => {
      const { id } = await insertWaiting((await insertLogin()).id)
      expect(await startOf(id, 1)).toBe(false)
      expect(await startOf(id)).toBe(true)
      expect(await startOf(id)).toBe(false)
      expect(await startOf(id, 1)).toBe(false)
    })

    test('a fork starts only while it is alive, and no other with it', async () => {
      const parent = await insertLogin()
      const [one, two] = [await insertWaiting(parent.id), await insertWaiting(parent.id)]
      await revoke(context.db, { type: 'session', sessionId: one.id }, now)
      expect(await startOf(one.id)).toBe(false)
      expect(await startOf(two.id)).toBe(true)
      expect(await findSession(context.db, one.id)).toMatchObject({ started_at: null, counter: 0 })
    })
  })

  test('a code is used once', async () => {
    const session = await insertLogin()
    const caller = { ...owner, sessionId: session.id, isFork: false, scope: 'host' } as const
    await context.transaction((trx) => createSessionCode(trx, context, caller))
    const { code_hash: codeHash } = await context.db
      .selectFrom('session_codes')
      .select('code_hash')
      .executeTakeFirstOrThrow()
    const use = (sessionId: string, at = now) =>
      useSessionCode(context.db, { codeHash, sessionId, nowSeconds: at })
    expect(await use('ses_late', now + 60)).toBe(false)
    expect(await use('ses_1')).toBe(true)
    expect(await use('ses_2')).toBe(false)
    const kept = await context.db.selectFrom('session_codes').select('started_session_id').execute()
    expect(kept).toEqual([{ started_session_id: 'ses_1' }])
  })

  test('removing the codes of a user leaves those of others', async () => {
    const users = [owner, { ...owner, userId: 'usr_2' }, { appId: 'b'.repeat(25), userId: owner.userId }]
    for (const of of users) {
      const session = newSession(context, of, { kind: 'login', device: null, key: provenKey })
      await insertSession(context.db, session)
      const caller = { ...of, sessionId: session.id, isFork: false, scope: 'host' } as const
      await context.transaction((trx) => createSessionCode(trx, context, caller))
    }
    await removeSessionCodes(context.db, appId, 'usr_1')
    const left = await context.db
      .selectFrom('session_codes')
      .innerJoin('sessions', 'sessions.id', 'session_codes.session_id')
      .select(['sessions.app_id', 'sessions.user_id'])
      .orderBy('sessions.app_id')
      .execute()
    expect(left).toEqual([
      { app_id: appId, user_id: 'usr_2' },
      { app_id: 'b'.repeat(25), user_id: 'usr_1' },
    ])
  })

  test('a session is alive only while it and its root are', async () => {
    const parent = await insertLogin()
    const { id } = await insertWaiting(parent.id)
    const found = await findSession(context.db, id)
    if (!found) throw new Error('It was just inserted')
    expect(isAlive(found, context.clock)).toBe(true)
    for (const over of [
      { revoked_at: now },
      { root_revoked_at: now },
      { expires_at: now },
      { root_expires_at: now },
    ]) {
      expect(isAlive({ ...found, ...over }, context.clock), JSON.stringify(over)).toBe(false)
    }
    const last = { ...found, expires_at: now + 1, root_expires_at: now + 1 }
    expect(isAlive(last, context.clock)).toBe(true)
  })

  test('revoking a family revokes each row, and leaves earlier revocations unchanged', async () => {
    const parent = await insertLogin()
    const [one, two] = [await insertWaiting(parent.id), await insertWaiting(parent.id)]
    const stranger = await insertLogin()
    expect(await revoke(context.db, { type: 'session', sessionId: one.id }, now)).toBe(1)
    expect(await revoke(context.db, { type: 'family', familyId: parent.id }, now + 5)).toBe(2)
    const all = await Promise.all([parent, one, two, stranger].map(({ id }) => revokedAt(id)))
    expect(all).toEqual([now + 5, now, now + 5, null])
  })
})
