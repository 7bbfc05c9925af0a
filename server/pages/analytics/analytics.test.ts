import { expect, test } from 'vitest'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { consumePortion } from '../../kernel/attempts/attempts.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { nextPosition } from './store.ts'

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const browser = testBrowser(testServer(context), context, await testApp(context))
    const send = (body: unknown, headers = {}) => browser.call('analyticsEvent', { body, headers })
    const stored = () => context.db.selectFrom('analytics_events').select(['event_name', 'payload']).execute()
    return { context, send, stored }
  }
  const event = {
    event_name: 'modal_open',
    client_id: 'client-1',
    payload: { clientTimestamp: '2026-01-01T00:00:00.000Z' },
  }

  // spec L7.23
  test('stores an event with its name and payload', async () => {
    const { send, stored } = await open()
    expect(await send(event)).toMatchObject({ status: 200, answer: { success: true } })
    const [row] = await stored()
    expect(row?.event_name).toBe('modal_open')
    expect(JSON.parse(row?.payload ?? '')).toEqual(event.payload)
  })

  test('stores the client id from the body, or else from the header', async () => {
    const { context, send } = await open()
    const header = { 'latchkey-ca-id': '5a2f0a0e-7d0b-4b51-9c0d-2f7d2f1f6c11' }
    await send(event, header)
    await send({ ...event, client_id: null }, header)
    await send({ ...event, client_id: null })
    const rows = await context.db.selectFrom('analytics_events').select('client_id').execute()
    expect(rows.map((row) => row.client_id).sort()).toEqual([
      '5a2f0a0e-7d0b-4b51-9c0d-2f7d2f1f6c11',
      'client-1',
      null,
    ])
    expect(await send({ ...event, client_id: null }, { 'latchkey-ca-id': 'two words' })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_data', details: { path: 'latchkey-ca-id' } },
    })
  })

  test('rejects an unknown event name, a nested payload and an oversized payload', async () => {
    const { send, stored } = await open()
    expect((await send({ ...event, event_name: 'anything' })).status).toBe(422)
    expect((await send({ ...event, payload: ['x'] })).status).toBe(422)
    expect((await send({ ...event, payload: { nested: { email: 'x' } } })).status).toBe(422)
    expect((await send({ ...event, payload: { text: 'a'.repeat(4_096) } })).status).toBe(422)
    expect(await stored()).toEqual([])
  })

  test('rejects a client id with a control character', async () => {
    const { send, stored } = await open()
    for (const client_id of ['\0', 'client\n1']) {
      expect(await send({ ...event, client_id })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'client_id' } },
      })
    }
    expect(await stored()).toEqual([])
    expect((await send({ ...event, client_id: 'of the app Ü' })).status).toBe(200)
  })

  test('stores the total bytes of the slot up to each event, including the row overhead', async () => {
    const { context, send } = await open()
    for (let count = 0; count < 60; count += 1) await send({ ...event, payload: { text: 'é' } })
    const rows = await context.db
      .selectFrom('analytics_events')
      .select(['app_id', 'slot', 'position'])
      .orderBy('position')
      .execute()
    const slots = Map.groupBy(rows, ({ slot }) => slot ?? '')
    const names = Array.from({ length: 8 }, (_, number) => `${rows[0]?.app_id}/${number}`)
    // Sixty random events use fewer than four of eight slots with a probability of 1e-23.
    expect(slots.size).toBeGreaterThan(3)
    for (const [name, own] of slots) {
      expect(names).toContain(name)
      const bytes = 300 + '{"text":"é"}'.length + 1
      expect(own.map(({ position }) => position)).toEqual(own.map((_, at) => (at + 1) * bytes))
    }
  })

  test('starts the position of a slot at the app’s counter from the first release', async () => {
    const { db } = database()
    await db.insertInto('analytics_volumes').values({ app_id: 'old', bytes: 5_000 }).execute()
    const next = (appId: string, number: number) => nextPosition(db, { appId, number }, 100)
    expect([await next('old', 0), await next('old', 0), await next('old', 7)]).toEqual([5_100, 5_200, 5_100])
    expect([await next('new', 0), await next('new', 0)]).toEqual([100, 200])
  })

  test('accepts 3,000 events per app and minute, one eighth in each slot', async () => {
    const { context, send, stored } = await open()
    const quota = { limit: 375, windowSeconds: 60 }
    const nowSeconds = Math.floor(context.clock.nowMs() / 1_000)
    const { id } = await testApp(context)
    for (let number = 0; number < 8; number += 1) {
      const attempt = { key: `analytics|${id}/${number}`, quota, nowSeconds }
      expect(await consumePortion(context.db, attempt, 375)).toMatchObject({ allowed: true })
    }
    expect((await send(event, { 'latchkey-app-id': id })).status).toBe(200)
    expect(await stored()).toEqual([])
  })
})
