import { expect, test } from 'vitest'
import { capabilities } from '../capabilities.ts'
import { expiriesOf } from '../capability.ts'
import { nowSeconds } from '../ports.ts'
import { movingClock } from '../testing/clock.ts'
import { cleanUp } from './cleanup.ts'
import { forEachEngine } from './test-engines.ts'

const expiries = expiriesOf(capabilities)

forEachEngine((database) => {
  test('what has expired goes, in batches, and nothing else does', async () => {
    const { db } = database()
    const clock = movingClock()
    const now = nowSeconds(clock)
    const attempt = (key: string, expiresAt: number) => ({
      key,
      window_start: 1,
      count: 1,
      expires_at: expiresAt,
    })
    await db
      .insertInto('attempts')
      .values([
        ...Array.from({ length: 25 }, (_, at) => attempt(`old ${at}`, now - at)),
        attempt('new', now + 1),
      ])
      .execute()
    const replay = (id: string, expiresAt: number) => ({
      app_id: 'app',
      request_id: id,
      request_hash: '',
      state: 'done' as const,
      kept: null,
      lease_id: '',
      lease_until_ms: 0,
      expires_at: expiresAt,
    })
    await db
      .insertInto('request_replays')
      .values([replay('old', now), replay('new', now + 1)])
      .execute()
    expect(await cleanUp(db, clock, expiries, 10)).toBe(26)
    expect(await db.selectFrom('attempts').select('key').execute()).toMatchObject([{ key: 'new' }])
    expect(await db.selectFrom('request_replays').select('request_id').execute()).toMatchObject([
      { request_id: 'new' },
    ])
    expect(await cleanUp(db, clock, expiries, 10)).toBe(0)
  })

  test('sessions that run are kept, ended ones for a week', async () => {
    const { db } = database()
    const clock = movingClock()
    const now = nowSeconds(clock)
    const session = (id: string, expiresAt: number, revokedAt: number | null) => ({
      id,
      app_id: 'app',
      user_id: 'user',
      kind: 'login' as const,
      family_id: id,
      token_key: '',
      counter: 0,
      rotated_at_ms: 0,
      started_at: null,
      key_thumbprint: null,
      created_at: 1,
      last_used_at: 1,
      expires_at: expiresAt,
      revoked_at: revokedAt,
    })
    const week = 7 * 86_400
    await db
      .insertInto('sessions')
      .values([
        session('running', now + 1, null),
        session('just revoked', now + 1, now),
        session('long revoked', now + 1, now - week),
        session('just expired', now, null),
        session('long expired', now - week, null),
      ])
      .execute()
    await cleanUp(db, clock, expiries)
    const left = await db.selectFrom('sessions').select('id').orderBy('id').execute()
    expect(left.map((row) => row.id)).toEqual(['just expired', 'just revoked', 'running'])
  })
})
