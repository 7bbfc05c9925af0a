/** Statistics of the Admin API, from the first count to the answer. */
import { beforeEach, expect, test } from 'vitest'
import { countForApp, takeAppCounts } from '../../kernel/app-counts.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import type { Db } from '../../kernel/ports.ts'
import { type AdminFixture, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { storeAppCounts } from './stats.ts'

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    takeAppCounts()
    fixture = await adminFixture(database())
  })
  const store = () => storeAppCounts(fixture.context.db, fixture.context.clock)
  const readStats = async (query = '') =>
    (await fixture.call('GET', `/apps/${fixture.app.id}/stats${query}`)).body
  const at = () => new Date(fixture.context.clock.nowMs()).toISOString()

  test('logins, codes, new users and wallets are counted when they are committed', async () => {
    const ada = await fixture.browser.login('ada@example.com')
    await fixture.makeWallet(ada)
    expect((await readStats()).data).toEqual([])
    await store()
    await store()
    const { data } = await readStats()
    expect(data.map(({ metric, by, count }: Record<string, unknown>) => [metric, by, count])).toEqual([
      ['codes_right', 'email', 1],
      ['codes_sent', 'email', 1],
      ['logins', 'email', 1],
      ['new_users', 'email', 1],
      ['wallets_created', 'ethereum', 1],
    ])
  })

  test('counts are summed by hour or day, of one app and one metric', async () => {
    const { context, app } = fixture
    const start = Math.ceil(context.clock.nowMs() / 86_400_000) * 86_400
    context.clock.advanceSeconds(start - Math.floor(context.clock.nowMs() / 1_000))
    const day = at()
    for (const place of ['page', 'frame', 'page']) {
      countForApp(app.id, 'signatures', place)
      await store()
      context.clock.advanceSeconds(3_600)
    }
    countForApp((await fixture.newApp()).id, 'signatures', 'page')
    countForApp(app.id, 'logins', 'email', 2)
    await store()
    const plus = (hours: number) => new Date((start + hours * 3_600) * 1_000).toISOString()
    context.clock.advanceSeconds(1)
    expect((await readStats('?metric=signatures')).data).toEqual([
      { metric: 'signatures', by: 'frame', at: day, count: 1 },
      { metric: 'signatures', by: 'page', at: day, count: 2 },
    ])
    expect((await readStats(`?metric=signatures&bucket=1h&from=${plus(1)}`)).data).toEqual([
      { metric: 'signatures', by: 'frame', at: plus(1), count: 1 },
      { metric: 'signatures', by: 'page', at: plus(2), count: 1 },
    ])
    expect((await readStats('?metric=logins&bucket=1h')).data).toEqual([
      { metric: 'logins', by: 'email', at: plus(3), count: 2 },
    ])
  })

  test('concurrent processes lose no count', async () => {
    for (let index = 0; index < 20; index += 1) countForApp(fixture.app.id, 'logins', 'email')
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const stored = store()
        countForApp(fixture.app.id, 'logins', 'email')
        await stored
      }),
    )
    await store()
    expect((await readStats()).data).toMatchObject([{ metric: 'logins', count: 28 }])
  })

  test('counts that cannot be stored are stored the next time', async () => {
    countForApp(fixture.app.id, 'logins', 'email', 3)
    const { db } = fixture.context
    const closed = new Proxy(db, {
      get: () => {
        throw new Error('The connection was lost')
      },
    }) as Db
    await expect(storeAppCounts(closed, fixture.context.clock)).rejects.toThrow('The connection was lost')
    await store()
    expect((await readStats()).data).toMatchObject([{ metric: 'logins', count: 3 }])
  })

  test.each([
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['?bucket=1h&from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:01Z', 'from'],
    ['?from=2026-01-01T00:00:00Z&to=2026-04-04T00:00:00Z', 'from'],
    ['?metric=shares', 'metric'],
    ['?bucket=1m', 'bucket'],
  ])('rejects %s', async (query, path) => {
    const answer = await fixture.call('GET', `/apps/${fixture.app.id}/stats${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_data', path } })
  })
})
