import { expect, test } from 'vitest'
import { capabilities } from '../../start/capabilities.ts'
import { movingClock } from '../../testing/context.ts'
import { collectExpiryRules } from '../capability.ts'
import { nowSeconds } from '../ports.ts'
import { cleanUp, type ExpiryRule } from './cleanup.ts'
import { forEachEngine } from './test-engines.ts'

const expiryRules = collectExpiryRules(capabilities)

forEachEngine((database) => {
  test('deletes expired rows in batches, and no others', async () => {
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
    expect(await cleanUp(database(), clock, expiryRules, { batchRows: 10 })).toEqual({
      rows: 26,
      failures: [],
    })
    expect(await db.selectFrom('attempts').select('key').execute()).toMatchObject([{ key: 'new' }])
    expect(await db.selectFrom('request_replays').select('request_id').execute()).toMatchObject([
      { request_id: 'new' },
    ])
    expect(await cleanUp(database(), clock, expiryRules)).toEqual({ rows: 0, failures: [] })
  })

  test('keeps active sessions, and ended ones for a week', async () => {
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
    await cleanUp(database(), clock, expiryRules)
    const left = await db.selectFrom('sessions').select('id').orderBy('id').execute()
    expect(left.map((row) => row.id)).toEqual(['just expired', 'just revoked', 'running'])
  })

  test('continues with other tables if one fails', async () => {
    const { db } = database()
    const clock = movingClock()
    await db
      .insertInto('attempts')
      .values({ key: 'old', window_start: 1, count: 1, expires_at: nowSeconds(clock) })
      .execute()
    const failing: readonly ExpiryRule[] = [
      { table: 'no_such_table', key: ['id'], column: 'expires_at', retentionSeconds: 0 },
      async () => {
        throw new Error('The surplus cannot be determined')
      },
    ]
    const { rows, failures } = await cleanUp(database(), clock, [...failing, ...expiryRules])
    expect(rows).toBe(1)
    expect(failures).toHaveLength(2)
  })

  test('parallel runs delete different rows and leave none', async () => {
    const { db } = database()
    const clock = movingClock()
    const now = nowSeconds(clock)
    for (let hundred = 0; hundred < 20; hundred += 1) {
      const rows = Array.from({ length: 100 }, (_, at) => ({
        key: `${hundred}/${at}`,
        window_start: 1,
        count: 1,
        expires_at: now - at,
      }))
      await db.insertInto('attempts').values(rows).execute()
    }
    const runs = await Promise.all(
      [1, 2, 3].map(() => cleanUp(database(), clock, expiryRules, { batchRows: 50 })),
    )
    expect(runs.flatMap(({ failures }) => failures)).toEqual([])
    expect(runs.reduce((sum, { rows }) => sum + rows, 0)).toBe(2_000)
  })

  test('continues after a batch with fewer rows than requested, because locked rows may be released', async () => {
    const { db, engine } = database()
    const clock = movingClock()
    const insertRows = (name: string) =>
      db
        .insertInto('attempts')
        .values(
          Array.from({ length: 7 }, (_, at) => ({
            key: `${name} ${at}`,
            window_start: 1,
            count: 1,
            expires_at: nowSeconds(clock),
          })),
        )
        .execute()
    await insertRows('first')
    const batches: number[] = []
    let insertion: Promise<unknown> = Promise.resolve()
    const watched = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const deleted = Number(result.numAffectedRows ?? 0)
        // Not awaited: the batch is not finished yet.
        if (deleted > 0 && batches.push(deleted) === 1) insertion = insertRows('given back')
        return result
      },
    })
    expect(await cleanUp({ db: watched, engine }, clock, expiryRules, { batchRows: 50 })).toEqual({
      rows: 14,
      failures: [],
    })
    await insertion
    expect(batches).toEqual([7, 7])
  })

  test('keeps the newest 64 MB of events per app, 8 MB per slot, and all of smaller apps', async () => {
    const { db } = database()
    const clock = movingClock()
    const megabyte = 1_048_576
    const event = (name: string, position: number) => ({
      id: `${name} ${position / megabyte}`,
      app_id: name.split('/')[0] ?? '',
      slot: name.includes('/') ? name : null,
      event_name: 'modal_open',
      client_id: null,
      user_id: null,
      payload: '{}',
      created_at: nowSeconds(clock),
      position,
    })
    await db
      .insertInto('analytics_events')
      .values([
        ...[1, 35, 36, 37, 100].map((megabytes) => event('busy', megabytes * megabyte)),
        event('quiet', megabyte),
        ...[101, 103, 104, 111].map((megabytes) => event('busy/0', megabytes * megabyte)),
        event('busy/1', 101 * megabyte),
      ])
      .execute()
    await db
      .insertInto('analytics_volumes')
      .values([
        { app_id: 'busy', bytes: 100 * megabyte },
        { app_id: 'quiet', bytes: megabyte },
        { app_id: 'busy/0', bytes: 111 * megabyte },
        { app_id: 'busy/1', bytes: 101 * megabyte },
      ])
      .execute()
    expect(await cleanUp(database(), clock, expiryRules)).toEqual({ rows: 5, failures: [] })
    const left = await db.selectFrom('analytics_events').select('id').orderBy('position').execute()
    const ids = left.map(({ id }) => id)
    expect(ids.toSorted()).toEqual([
      'busy 100',
      'busy 37',
      'busy/0 104',
      'busy/0 111',
      'busy/1 101',
      'quiet 1',
    ])
  })

  test('keeps a row that is renewed during the cleanup', async () => {
    const { db, transaction } = database()
    const clock = movingClock()
    const now = nowSeconds(clock)
    await db
      .insertInto('attempts')
      .values({ key: 'guesses', window_start: 1, count: 5, expires_at: now })
      .execute()
    const cleaned = Promise.withResolvers<unknown>()
    await transaction(async (trx) => {
      await trx
        .updateTable('attempts')
        .set({ expires_at: now + 600 })
        .execute()
      cleaned.resolve(cleanUp(database(), clock, expiryRules))
    })
    expect(await cleaned.promise).toEqual({ rows: 0, failures: [] })
    expect(await db.selectFrom('attempts').select('count').execute()).toMatchObject([{ count: 5 }])
  })
})
