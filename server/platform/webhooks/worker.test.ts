/** Workers with real connections: faulty receivers, restarts of both sides, and addresses that are refused. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { createDatabaseClock } from '../../kernel/db/database-clock.ts'
import { forDefaultEngine, forEachEngine, forPostgres } from '../../kernel/db/test-engines.ts'
import { ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import { capabilities } from '../../start/capabilities.ts'
import { webhookLimits } from './limits.ts'
import { webhookFixture } from './testing/fixture.ts'
import { type Receiver, type Reply, replyWith, startReceiver } from './testing/receiver.ts'
import { createDeliveryWorker } from './worker.ts'

/** The configuration of a server in production. */
const publicOnly = parseConfig({}, collectEnvironment(capabilities))

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

forEachEngine((database, engine) => {
  test('each event arrives, and nothing else, through restarts of receivers and workers', async () => {
    const fixture = await webhookFixture(database())
    const { context } = fixture
    await fixture.createWebhook({ url: receiver.url })
    const users = Array.from(
      { length: engine === 'postgres' ? 300 : 150 },
      (_, index) => `usr_${index}`,
    ).sort()
    for (let at = 0; at < users.length; at += 50) {
      await Promise.all(users.slice(at, at + 50).map((user) => fixture.change('user.deleted', user)))
    }
    const accepted = new Set<string>()
    receiver.setReply((answer, { body }) => {
      const { length } = receiver.received
      if (length % 7 === 0) answer.destroy()
      else if (length % 5 === 0) answer.writeHead(503).end()
      else {
        accepted.add(JSON.parse(body).data.user_id)
        answer.writeHead(204).end()
      }
    })
    // Like a killed process, this worker sends deliveries, and stores no outcome.
    const runUntilKilled = () =>
      createDeliveryWorker(context, {
        fetch: async (...request) => {
          await ssrfSafeFetch(...request).catch(() => {})
          return new Promise(() => {})
        },
      }).poll()
    for (let round = 0; accepted.size < users.length && round < 10; round += 1) {
      if (round === 1) await receiver.stop()
      if (round < 3) await runUntilKilled()
      await createDeliveryWorker(context).drain()
      if (round === 1) await receiver.start()
      context.clock.advanceMs((webhookLimits.retryDelaysMs[round] ?? 0) * 1.2 + webhookLimits.leaseMs)
    }
    await createDeliveryWorker(context).drain()
    expect([...accepted].sort()).toEqual(users)
    const events = (await fixture.readEvents()).map(({ id }) => id).sort()
    const ids = new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))
    expect([...ids].sort()).toEqual(events)
    const states = (await fixture.readDeliveries()).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
    // Hundreds of connections and twice as many transactions.
  }, 180_000)
})

forPostgres((database) => {
  test('processes on machines with wrong clocks share leases by the clock of the database', async () => {
    const fixture = await webhookFixture(database())
    await fixture.createWebhook({ url: receiver.url })
    for (let count = 0; count < 40; count += 1) await fixture.change('user.deleted', `usr_${count}`)
    const workers = await Promise.all(
      [-3_600_000, 0, 3_600_000].map(async (errorMs) => {
        const clock = await createDatabaseClock(database(), { nowMs: () => Date.now() + errorMs })
        return createDeliveryWorker({ ...fixture.context, clock })
      }),
    )
    await Promise.all(workers.map((worker) => worker.drain()))
    expect(receiver.received).toHaveLength(40)
    const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(Math.max(...timestamps) - Math.min(...timestamps)).toBeLessThan(60)
  })
})

forDefaultEngine((database) => {
  const deliverTo = async (url: string, options?: Parameters<typeof createDeliveryWorker>[1]) => {
    const fixture = await webhookFixture(database())
    await fixture.createWebhook({ url })
    await fixture.change()
    await createDeliveryWorker(fixture.context, options).drain()
    const [delivery] = await fixture.readDeliveries()
    return { fixture, delivery }
  }

  describe('a receiver that', () => {
    test.each<[string, Reply, object]>([
      ['answers 200 with a huge body', replyWith(200, {}, 'x'.repeat(5_000_000)), { state: 'delivered' }],
      ['answers 299', replyWith(299), { state: 'delivered', status: 299 }],
      [
        'redirects',
        replyWith(302, { location: '/other' }),
        { state: 'pending', error: 'SsrfSafeFetchError' },
      ],
      ['closes the connection', (answer) => answer.destroy(), { state: 'pending', error: 'ECONNRESET' }],
      ['answers 404', replyWith(404), { state: 'pending', status: 404, error: 'http_404' }],
    ])('%s', async (_what, reply, expected) => {
      receiver.setReply(reply)
      const { delivery } = await deliverTo(receiver.url)
      expect(delivery).toMatchObject({ attempts: 1, ...expected })
      expect(receiver.received).toHaveLength(1)
    })
  })

  test('a body is sent as JSON, with the headers of Standard Webhooks only', async () => {
    const { fixture } = await deliverTo(receiver.url)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    expect(body).toBe((await fixture.readEvents())[0]?.body)
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
    expect(headers['content-type']).toBe('application/json')
  })

  test('a stopping worker waits for its attempts, and starts no others', async () => {
    const fixture = await webhookFixture(database())
    await fixture.createWebhook({ url: receiver.url })
    for (let count = 0; count < 20; count += 1) await fixture.change()
    const worker = createDeliveryWorker(fixture.context)
    await worker.poll()
    await worker.stop()
    const sent = receiver.received.length
    const deliveries = await fixture.readDeliveries()
    expect(deliveries.filter(({ state }) => state === 'delivered')).toHaveLength(sent)
    expect(deliveries.filter(({ lease }) => lease !== null)).toEqual([])
    await worker.poll()
    expect(receiver.received).toHaveLength(sent)
  })

  test('a slow receiver takes a part of the attempts only', async () => {
    const fixture = await webhookFixture(database())
    await fixture.createWebhook({ url: receiver.url, events: ['user.deleted'] })
    await fixture.createWebhook({ url: 'https://fast.example' })
    for (let count = 0; count < 40; count += 1) await fixture.change('user.deleted', `usr_${count}`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow: string[] = []
    let fast = 0
    const worker = createDeliveryWorker(fixture.context, {
      fetch: async (url) => {
        if (url === receiver.url) {
          slow.push(url)
          await promise
        } else fast += 1
        return new Response(null, { status: 204 })
      },
    })
    while (fast < 40) {
      await worker.poll()
      await new Promise((settle) => setImmediate(settle))
    }
    expect(slow.length).toBeLessThanOrEqual(2 * webhookLimits.attemptsPerWebhook)
    resolve()
    await worker.drain()
    expect(slow).toHaveLength(40)
  })

  describe('an internal address', () => {
    test.each([
      'https://10.0.0.1/hooks',
      'https://192.168.1.1',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://0.0.0.0/',
      'https://2130706433/',
      'https://localhost/',
      'https://hooks.localhost/',
      'https://127.0.0.1/',
      'http://hooks.example/',
      'https://user:password@hooks.example/',
      'ftp://hooks.example/',
    ])('%s is refused when the webhook is created or changed', async (url) => {
      const fixture = await webhookFixture(database())
      expect(await fixture.call('POST', '', { body: { url }, config: publicOnly })).toMatchObject({
        status: 400,
        body: { code: 'url_not_allowed', path: 'url' },
      })
      const id = await fixture.createWebhook()
      expect((await fixture.call('PATCH', `/${id}`, { body: { url }, config: publicOnly })).body.code).toBe(
        'url_not_allowed',
      )
    })

    test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', 'fe80::1', '100.64.0.1'])(
      'that a name resolves to (%s) is refused by the connection',
      async (address) => {
        const { delivery } = await deliverTo('https://hooks.example/', {
          fetch: (url, request) =>
            ssrfSafeFetch(url, request, async () => [{ address, family: address.includes(':') ? 6 : 4 }]),
        })
        expect(delivery).toMatchObject({ state: 'pending', status: null, error: 'SsrfSafeFetchError' })
      },
    )

    test('that was allowed for development is not sent to without the setting', async () => {
      const { fixture } = await deliverTo(receiver.url)
      await fixture.change()
      await createDeliveryWorker({ ...fixture.context, config: publicOnly }).drain()
      expect(receiver.received).toHaveLength(1)
      expect((await fixture.readDeliveries()).map(({ error }) => error)).toContain('url_not_allowed')
    })
  })
})
