/** Client headers, and how they are logged. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { forDefaultEngine } from '../db/test-engines.ts'

forDefaultEngine((database) => {
  const open = async () => {
    const lines: string[] = []
    const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(line) })
    const context = await testContext(database(), { log })
    const browser = testBrowser(testServer(context), context, await testApp(context))
    const answered = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    const status = (headers: Readonly<Record<string, string>>) =>
      browser.call('appStatus', { query: '?origin=http://demo.localhost:4010', headers })
    return { status, answered }
  }

  test('logs the package, version and client id of a call', async () => {
    const { status, answered } = await open()
    const headers = { 'latchkey-client': 'dialog-app:1.2.3', 'latchkey-client-id': 'of-the-shop_2' }
    expect(await status(headers)).toMatchObject({ status: 200 })
    await status({})
    const lines = answered().map(({ client, clientId }) => ({ client, clientId }))
    expect(lines).toEqual([{ client: 'dialog-app:1.2.3', clientId: 'of-the-shop_2' }, {}])
  })

  test.each(['@latchkey/dialog:0.1.0', 'wallet-frame:0.1.0-rc.1+build'])(
    'accepts the client %s',
    async (client) => {
      const { status } = await open()
      expect(await status({ 'latchkey-client': client })).toMatchObject({ status: 200 })
    },
  )

  test.each(['dialog-app', 'dialog-app:', ':1.0.0', 'Dialog app:1', `${'a'.repeat(65)}:1`, 'a:1\t2'])(
    'rejects the client %j and does not log it',
    async (client) => {
      const { status, answered } = await open()
      expect(await status({ 'latchkey-client': client })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'latchkey-client' } },
      })
      expect(JSON.stringify(answered())).not.toContain(JSON.stringify(client).slice(1, -1))
    },
  )

  test.each(['', 'two words', 'é', 'a'.repeat(129), '{"$ne":1}'])('rejects the client id %j', async (id) => {
    const { status } = await open()
    expect(await status({ 'latchkey-client-id': id })).toMatchObject({
      status: 400,
      answer: { code: 'missing_or_invalid_latchkey_client_id' },
    })
    expect(await status({ 'latchkey-client-id': 'a'.repeat(128) })).toMatchObject({ status: 200 })
  })
})
