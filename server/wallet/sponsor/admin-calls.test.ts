/** The fees of an app by chain and day, and the rest of its limit. */
import { beforeEach, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type AdminFixture, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { type OperationRow, sponsorTables } from './tables.ts'

const daySeconds = 86_400

forEachEngine((database) => {
  let fixture: AdminFixture
  let startOfToday: number
  beforeEach(async () => {
    fixture = await adminFixture(database())
    const { clock, db } = fixture.context
    const now = Math.floor(clock.nowMs() / 1_000)
    startOfToday = now - (now % daySeconds)
    // Noon, so that the last 24 hours begin yesterday.
    clock.advanceSeconds(startOfToday + daySeconds * 1.5 - now)
    startOfToday += daySeconds
    await setFields(db, clock, fixture.app.id, [['sponsored_chains', [8453, 10]]])
    clock.advanceSeconds(2)
  })

  let count = 0
  const insert = (changes: Partial<OperationRow>) =>
    sponsorTables(fixture.context.db)
      .insertInto('sponsored_operations')
      .values({
        id: `operation-${++count}`,
        app_id: fixture.app.id,
        user_id: 'user',
        chain_id: '8453',
        sender: '0x',
        signed: '',
        relay: 'relay',
        relay_nonce: count,
        gas: 1,
        max_fee: '1',
        priority_fee: '1',
        transactions: '[]',
        state: 'succeeded',
        cents: 100,
        created_at: startOfToday + 60,
        sent_at: 0,
        due_at_ms: null,
        settled_at: null,
        ...changes,
      })
      .execute()
  const read = async () => (await fixture.call('GET', `/apps/${fixture.app.id}/sponsored`)).body
  const at = (day: number) => new Date((startOfToday + day * daySeconds) * 1_000).toISOString()

  test('are empty without operations, and the whole limit is left', async () => {
    expect(await read()).toEqual({
      chains: ['8453', '10'],
      limit: { usd_per_day: 20, spent_usd: '0.00', left_usd: '20.00' },
      pending: 0,
      from: at(-6),
      to: new Date(fixture.context.clock.nowMs()).toISOString(),
      data: [],
    })
  })

  test('are summed by chain and day, and those of the last 24 hours count against the limit', async () => {
    await insert({ cents: 250 })
    await insert({ state: 'reverted' })
    await insert({ chain_id: '10', state: 'pending', cents: 5, created_at: startOfToday })
    await insert({ created_at: startOfToday - 60, cents: 1 })
    // Before noon of yesterday: the day counts it, the limit does not.
    await insert({ created_at: startOfToday - daySeconds, state: 'dropped', cents: 300 })
    await insert({ created_at: startOfToday - 6 * daySeconds })
    await insert({ created_at: startOfToday - 6 * daySeconds - 1 })
    await insert({ app_id: 'another' })
    const { data, limit, pending } = await read()
    const day = (chain_id: string, days: number, usd: string, operations: number, failed: number) => ({
      chain_id,
      at: at(days),
      usd,
      operations,
      failed,
    })
    expect(data).toEqual([
      day('8453', -6, '1.00', 1, 0),
      day('8453', -1, '3.01', 2, 1),
      day('10', 0, '0.05', 1, 0),
      day('8453', 0, '3.50', 2, 1),
    ])
    expect({ limit, pending }).toEqual({
      limit: { usd_per_day: 20, spent_usd: '3.56', left_usd: '16.44' },
      pending: 1,
    })
  })

  test('leave nothing of a limit that was lowered below them', async () => {
    await insert({ cents: 2_500 })
    expect((await read()).limit).toEqual({ usd_per_day: 20, spent_usd: '25.00', left_usd: '0.00' })
  })
})
