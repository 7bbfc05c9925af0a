import { expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { appLimits } from '../../kernel/app-settings/limits.ts'
import { consumePortion } from '../../kernel/attempts/attempts.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { readEventCounts } from './counts.ts'
import { nextPosition } from './store.ts'

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const app = await testApp(context)
    const browser = testBrowser(testServer(context), context, app)
    const send = (body: unknown, headers = {}) => browser.call('analyticsEvent', { body, headers })
    const stored = () => context.db.selectFrom('analytics_events').select(['event_name', 'payload']).execute()
    const counts = (since = 0, until = now(context.clock) + 1) =>
      readEventCounts(context.db, { appId: app.id, since, until })
    return { context, app, send, stored, counts }
  }
  const now = ({ nowMs }: { nowMs: () => number }) => Math.floor(nowMs() / 1_000)
  /** Opens an app that stores single events. */
  const openStoring = async () => {
    const opened = await open()
    const { context, app } = opened
    await context.transaction((trx) => setFields(trx, context.clock, app.id, [['analytics', 'events']]))
    context.clock.advanceMs(2 * appLimits.directoryFreshMs)
    return opened
  }
  const event = {
    event_name: 'modal_open',
    client_id: 'client-1',
    payload: { clientTimestamp: '2026-01-01T00:00:00.000Z' },
  }

  // spec L7.23
  test('counts an event by hour, name and login method, and stores nothing else by default', async () => {
    const { context, send, stored, counts } = await open()
    const hour = now(context.clock)
    expect(await send(event)).toMatchObject({ status: 200, answer: { success: true } })
    const login = (method: unknown) => send({ ...event, event_name: 'sdk_authenticate', payload: { method } })
    for (const method of ['email', 'email', `latchkey:${'a'.repeat(25)}`, 'made up', 7]) await login(method)
    context.clock.advanceSeconds(3_599)
    await send(event)
    context.clock.advanceSeconds(1)
    await send(event)
    expect(await counts()).toEqual([
      { hour, event: 'modal_open', method: null, count: 2 },
      { hour, event: 'sdk_authenticate', method: null, count: 2 },
      { hour, event: 'sdk_authenticate', method: 'cross_app', count: 1 },
      { hour, event: 'sdk_authenticate', method: 'email', count: 2 },
      { hour: hour + 3_600, event: 'modal_open', method: null, count: 1 },
    ])
    expect(await counts(hour + 1)).toHaveLength(1)
    expect(await counts(0, hour + 3_600)).toHaveLength(4)
    expect(await stored()).toEqual([])
  })

  test('loses no count of concurrent events', async () => {
    const { send, counts } = await open()
    await Promise.all(Array.from({ length: 60 }, () => send(event)))
    expect(await counts()).toMatchObject([{ count: 60 }])
  })

  test('stores an event with its name and payload if the app is set to', async () => {
    const { send, stored, counts } = await openStoring()
    await send(event)
    expect(await counts()).toMatchObject([{ event: 'modal_open', count: 1 }])
    const [row] = await stored()
    expect(row?.event_name).toBe('modal_open')
    expect(JSON.parse(row?.payload ?? '')).toEqual(event.payload)
  })

  test('stores the client id from the body, or else from the header', async () => {
    const { context, send } = await openStoring()
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
    const { send, stored } = await openStoring()
    expect((await send({ ...event, event_name: 'anything' })).status).toBe(422)
    expect((await send({ ...event, payload: ['x'] })).status).toBe(422)
    expect((await send({ ...event, payload: { nested: { email: 'x' } } })).status).toBe(422)
    expect((await send({ ...event, payload: { text: 'a'.repeat(4_096) } })).status).toBe(422)
    expect(await stored()).toEqual([])
  })

  test('rejects a client id with a control character', async () => {
    const { send, stored } = await openStoring()
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
    const { context, send } = await openStoring()
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

  test('stores 3,000 events per app and minute, one eighth in each slot, and counts the others', async () => {
    const { context, app, send, stored, counts } = await openStoring()
    const quota = { limit: 375, windowSeconds: 60 }
    const nowSeconds = Math.floor(context.clock.nowMs() / 1_000)
    for (let number = 0; number < 8; number += 1) {
      const attempt = { key: `analytics|${app.id}/${number}`, quota, nowSeconds }
      expect(await consumePortion(context.db, attempt, 375)).toMatchObject({ allowed: true })
    }
    expect((await send(event)).status).toBe(200)
    expect(await stored()).toEqual([])
    expect(await counts()).toMatchObject([{ count: 1 }])
  })
})
