import { expect, test } from 'vitest'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'

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
  test('an event is kept with its name and payload', async () => {
    const { send, stored } = await open()
    expect(await send(event)).toMatchObject({ status: 200, answer: { success: true } })
    const [row] = await stored()
    expect(row?.event_name).toBe('modal_open')
    expect(JSON.parse(row?.payload ?? '')).toEqual(event.payload)
  })

  test('an event is counted for the browser that its body names, or else its header', async () => {
    const { context, send } = await open()
    const header = { 'latchkey-ca-id': '5a2f0a0e-7d0b-4b51-9c0d-2f7d2f1f6c11' }
    await send(event, header)
    await send({ ...event, client_id: null }, header)
    await send({ ...event, client_id: null })
    const rows = await context.db
      .selectFrom('analytics_events')
      .select('client_id')
      .orderBy('position')
      .execute()
    expect(rows.map((row) => row.client_id)).toEqual([
      'client-1',
      '5a2f0a0e-7d0b-4b51-9c0d-2f7d2f1f6c11',
      null,
    ])
    expect(await send({ ...event, client_id: null }, { 'latchkey-ca-id': 'two words' })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_data', details: { path: 'latchkey-ca-id' } },
    })
  })

  test('a name that is none, a payload that is deep and one that is big are refused', async () => {
    const { send, stored } = await open()
    expect((await send({ ...event, event_name: 'anything' })).status).toBe(422)
    expect((await send({ ...event, payload: ['x'] })).status).toBe(422)
    expect((await send({ ...event, payload: { nested: { email: 'x' } } })).status).toBe(422)
    expect((await send({ ...event, payload: { text: 'a'.repeat(4_096) } })).status).toBe(422)
    expect(await stored()).toEqual([])
  })

  test('a client with a control character in its id is refused', async () => {
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

  test('an event says how much the app has had up to it, in bytes and with what a row takes beside them', async () => {
    const { context, send } = await open()
    await send(event)
    await send({ ...event, payload: { text: 'é' } })
    const rows = await context.db
      .selectFrom('analytics_events')
      .select(['payload', 'position'])
      .orderBy('position')
      .execute()
    const first = 300 + JSON.stringify(event.payload).length
    expect(rows.map(({ position }) => position)).toEqual([first, first + 300 + '{"text":"é"}'.length + 1])
  })
})
