import { expect, test } from 'vitest'
import { createApp } from '../../../start/app.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { createTestLog } from '../../../testing/fixture.ts'
import { collectEnvironment } from '../../capability.ts'
import { parseConfig } from '../../config.ts'
import { forDefaultEngine } from '../../db/test-engines.ts'

const production = { DIALOG_ORIGIN: 'https://login.example', WALLET_ORIGIN: 'https://keys.example' }
const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
]

forDefaultEngine((database) => {
  const open = async (environment: Record<string, string>) => {
    const { log, logged } = createTestLog()
    const config = parseConfig(environment, collectEnvironment(capabilities))
    const context = await testContext(database(), { config, log })
    const app = await testApp(context)
    const server = createApp(context, { isMigrated: async () => true })
    const status = async (
      from: string | undefined,
      headers: Record<string, string>,
      path = `/api/v1/apps/${app.id}`,
    ) => {
      const all = { host: new URL(config.dialogOrigin).host, ...headers }
      const socket = from === undefined ? {} : { remoteAddress: from }
      const answer = await server.request(
        config.dialogOrigin + path,
        { headers: all },
        { incoming: { socket } },
      )
      return [answer.status, await answer.text()] as const
    }
    return { context, app, logged, status }
  }

  test('rejects forwarding headers in production unless the proxy is trusted', async () => {
    const { logged, status } = await open({ ...production, TRUSTED_PROXIES: '10.0.0.0/8' })
    const named = { 'x-forwarded-for': '198.51.100.1' }
    expect((await status('10.1.2.3', named))[0]).toBe(200)
    // Without a peer address, there is nothing to check.
    expect((await status(undefined, named))[0]).toBe(200)
    expect(logged()).toEqual([])
    for (const name of proxyHeaders) {
      const [code, answer] = await status('192.168.1.7', { [name]: '198.51.100.1' })
      expect([code, JSON.parse(answer).code], name).toEqual([403, 'untrusted_proxy'])
      expect(JSON.parse(answer).error).toContain(name)
      expect(JSON.parse(answer).error).toContain('TRUSTED_PROXIES')
      expect((await status('10.1.2.3', { [name]: '198.51.100.1' }))[0], name).toBe(200)
    }
    expect((await status('192.168.1.7', {}))[0]).toBe(200)
  })

  test('rejects pages like API calls, but not health checks', async () => {
    const { app, status } = await open(production)
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    expect((await status('127.0.0.1', headers, `/apps/${app.id}/dialog`))[1]).toContain('untrusted_proxy')
    expect((await status('127.0.0.1', headers, '/healthz'))[0]).toBe(200)
    expect((await status('127.0.0.1', headers, '/readyz'))[1]).not.toContain('untrusted_proxy')
  })

  test('warns the operator once a minute, without client addresses', async () => {
    const { context, logged, status } = await open(production)
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    for (let turn = 0; turn < 5; turn += 1) await status('172.16.0.9', headers)
    expect(logged()).toMatchObject([
      {
        from: '172.16.0.9',
        header: 'x-forwarded-for',
        msg: expect.stringContaining('TRUSTED_PROXIES'),
      },
    ])
    context.clock.advanceSeconds(60)
    await status('203.0.113.9', headers)
    expect(logged()).toHaveLength(2)
    expect(logged()[1]).toMatchObject({ from: 'a public address' })
    expect(JSON.stringify(logged())).not.toMatch(/203\.0\.113\.9|198\.51\.100\.1/)
  })

  test('warns about a trusted proxy without X-Forwarded-For, and accepts the call', async () => {
    const { logged, status } = await open({ ...production, TRUSTED_PROXIES: '10.0.0.0/8' })
    expect((await status('10.1.2.3', { 'x-forwarded-proto': 'https' }))[0]).toBe(200)
    expect(logged()).toMatchObject([
      { from: '10.1.2.3', msg: expect.stringContaining('sends no X-Forwarded-For') },
    ])
  })

  test('warns once on localhost and rejects nothing', async () => {
    const { context, logged, status } = await open({ TRUSTED_PROXIES: '10.0.0.0/8' })
    expect((await status('10.1.2.3', {}))[0]).toBe(200)
    expect(logged()).toEqual([])
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await status('127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }))[0]).toBe(200)
      context.clock.advanceSeconds(120)
    }
    expect(logged()).toHaveLength(1)
  })
})
