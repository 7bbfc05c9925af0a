/** Events, deliveries and replays, with receivers that only the test answers for. */

import { fromWire } from '@latchkey/protocol'
import { eventDataSchema } from '@latchkey/protocol/admin'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordAudit } from '../../identity/audit/audit.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { secretColumns } from '../admin/never.ts'
import { webhookLimits } from './limits.ts'
import { type WebhookFixture, webhookFixture } from './testing/fixture.ts'

const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60) * count

forEachEngine((database) => {
  let fixture: WebhookFixture
  beforeEach(async () => {
    fixture = await webhookFixture(database())
  })
  const states = async () => (await fixture.readDeliveries()).map(({ state, error }) => [state, error])

  describe('events', () => {
    test('of a login are delivered with its user, numbered and signed', async () => {
      const webhook = await fixture.createWebhook()
      const { user } = await fixture.browser.login('ada@example.com')
      const worker = fixture.workerWith()
      await worker.drain()
      const bodies = worker.sent.map(({ body }) => JSON.parse(body))
      expect(bodies.sort((a, b) => a.data.sequence - b.data.sequence)).toMatchObject([
        {
          type: 'user.created',
          timestamp: '2026-01-01T00:00:05.000Z',
          data: { app_id: fixture.app.id, user_id: user.id, sequence: 1, account_type: 'email' },
        },
        { type: 'user.authenticated', data: { user_id: user.id, sequence: 2, method: 'email' } },
      ])
      const secret = await fixture.call('GET', `/${webhook}/secret`)
      const [first] = worker.sent
      const headers = {
        'webhook-id': first?.id ?? '',
        // The package compares with the time of this machine.
        'webhook-timestamp': String(first?.timestamp),
        'webhook-signature': first?.signature ?? '',
      }
      const receiver = new Webhook(secret.body.data[0].secret)
      expect(
        receiver.sign(first?.id ?? '', new Date((first?.timestamp ?? 0) * 1_000), first?.body ?? ''),
      ).toBe(headers['webhook-signature'].split(' ')[0])
      expect(await states()).toEqual([
        ['delivered', null],
        ['delivered', null],
      ])
    })

    test('of a change that was rolled back do not exist', async () => {
      await fixture.createWebhook()
      const { context, app } = fixture
      const failing = context.transaction(async (trx) => {
        await recordAudit(trx, context.clock, {
          event: 'user.blocked_by_operator',
          appId: app.id,
          userId: 'usr_ada',
          sessionId: null,
          details: {},
        })
        throw new Error('the change failed')
      })
      await expect(failing).rejects.toThrow('the change failed')
      expect([await fixture.readEvents(), await fixture.readDeliveries()]).toEqual([[], []])
      await fixture.change()
      expect(JSON.parse((await fixture.readEvents())[0]?.body ?? '').data.sequence).toBe(1)
    })

    test('are not stored for an app without webhooks', async () => {
      await fixture.browser.login('ada@example.com')
      expect(await fixture.readEvents()).toEqual([])
    })

    test('of other types than a webhook subscribes to are not sent to it', async () => {
      const blocks = await fixture.createWebhook({ events: ['user.blocked', 'user.unblocked'] })
      const all = await fixture.createWebhook()
      await fixture.change('user.deleted')
      await fixture.change('user.blocked_by_operator')
      const deliveries = await fixture.readDeliveries()
      const countOf = (id: string) => deliveries.filter(({ webhook_id: each }) => each === id).length
      expect([countOf(blocks), countOf(all)]).toEqual([1, 2])
    })

    test('of simultaneous changes of one user have different numbers', async () => {
      await fixture.createWebhook()
      await Promise.all(Array.from({ length: 10 }, () => fixture.change()))
      const numbers = (await fixture.readEvents()).map(({ body }) => JSON.parse(body).data.sequence)
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    })

    test('fit their schemas, and contain no address, secret, code or share', async () => {
      await fixture.createWebhook()
      const ada = await fixture.browser.login('ada@example.com')
      await fixture.makeWallet(ada)
      await fixture.enrolTotp(ada)
      const { user } = ada
      const path = `/apps/${fixture.app.id}/users/${user.id}`
      await fixture.callAdmin('POST', `${path}/factors/reset`)
      await fixture.callAdmin('PATCH', path, { body: { blocked: {} } })
      await fixture.callAdmin('PATCH', path, { body: { blocked: null } })
      await fixture.callAdmin('DELETE', `${path}/sessions`)
      const secrets: string[] = []
      for (const [table, columns] of Object.entries(secretColumns)) {
        const rows = await fixture.context.db
          .selectFrom(table as never)
          .selectAll()
          .execute()
        for (const row of rows as Record<string, unknown>[]) {
          secrets.push(...columns.flatMap((column) => (row[column] ? String(row[column]) : [])))
        }
      }
      await fixture.callAdmin('DELETE', path)
      const bodies = (await fixture.readEvents()).map(({ body }) => body)
      const types = new Set<string>()
      for (const body of bodies) {
        const { type, data } = JSON.parse(body)
        types.add(type)
        const schema = eventDataSchema(type)
        expect(v.safeParse(schema, fromWire(schema, data)).issues).toBeUndefined()
        expect(Object.keys(data).every((name) => /^[a-z_]+$/.test(name))).toBe(true)
      }
      expect([...types].sort()).toEqual([
        'mfa.disabled',
        'mfa.enabled',
        'session.revoked',
        'user.authenticated',
        'user.blocked',
        'user.created',
        'user.deleted',
        'user.unblocked',
        'user.wallet_created',
      ])
      const text = bodies.join('\n')
      const mailed = fixture.context.mails.flatMap(({ text: mail }) => mail.match(/\b\d{6}\b/g) ?? [])
      expect(mailed.length).toBeGreaterThan(0)
      const canaries = [...secrets, ...mailed, ada.token, ada.host_token]
      expect(canaries.filter((canary) => canary.length > 5 && text.includes(canary))).toEqual([])
      expect(text).not.toMatch(/@|eyJ|0x[0-9a-f]{40}/i)
    })
  })

  describe('a failed attempt', () => {
    test('is repeated after growing delays with jitter, for three days', async () => {
      await fixture.createWebhook()
      await fixture.change()
      const worker = fixture.workerWith([{ status: 500 }])
      const { clock } = fixture.context
      const startMs = clock.nowMs()
      const attempts: number[] = []
      for (let polls = 0; polls < 12; polls += 1) {
        await worker.drain()
        attempts.push(clock.nowMs() - startMs)
        const [delivery] = await fixture.readDeliveries()
        if (delivery?.state !== 'pending') break
        clock.advanceMs((delivery.due_at_ms ?? 0) - clock.nowMs())
      }
      const delays = attempts.slice(1).map((atMs, index) => atMs - (attempts[index] ?? 0))
      expect(delays).toEqual(
        [5_000, minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)].map(
          (delay) => Math.round(delay * 1.1),
        ),
      )
      expect(worker.sent).toHaveLength(10)
      expect(new Set(worker.sent.map(({ id }) => id)).size).toBe(1)
      expect(new Set(worker.sent.map(({ timestamp }) => timestamp)).size).toBe(10)
      expect(await states()).toEqual([['failed', 'http_500']])
    })

    test('after three days without a success pauses the webhook', async () => {
      const id = await fixture.createWebhook()
      const other = await fixture.createWebhook({ events: ['webhook.paused'] })
      await fixture.change()
      const worker = fixture.workerWith([{ status: 500 }])
      await worker.drain()
      fixture.context.clock.advanceSeconds(3 * 86_400 - 1)
      await worker.drain()
      expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({
        state: 'enabled',
        failing_since: '2026-01-01T00:00:05.000Z',
      })
      await fixture.change()
      fixture.context.clock.advanceSeconds(1)
      await worker.drain()
      expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({
        state: 'paused',
        paused: { at: '2026-01-04T00:00:05.000Z', reason: 'failing' },
      })
      // The other webhook of the app is told, and the log.
      const last = worker.sent.at(-1)
      expect(JSON.parse(last?.body ?? '')).toMatchObject({
        type: 'webhook.paused',
        data: { webhook_id: id, reason: 'failing' },
      })
      expect((await fixture.call('GET', `/${other}`)).body.state).toBe('enabled')
      expect(fixture.logged()).toMatchObject([
        { msg: 'a webhook was paused', webhook: id, reason: 'failing' },
      ])
    })

    test('between successes pauses nothing', async () => {
      const id = await fixture.createWebhook()
      const worker = fixture.workerWith([{ status: 500 }, { status: 200 }, { status: 500 }])
      for (let day = 0; day < 5; day += 2) {
        await fixture.change()
        await worker.drain()
        fixture.context.clock.advanceSeconds(2 * 86_400)
      }
      expect((await fixture.call('GET', `/${id}`)).body.state).toBe('enabled')
    })

    test.each([
      ['120', 120_000],
      ['Thu, 01 Jan 2026 01:00:05 GMT', hours(1)],
      ['1', 5_500],
      ['999999', hours(24)],
      ['soon', 5_500],
    ])('with Retry-After: %s is repeated after %i ms', async (retryAfter, delayMs) => {
      await fixture.createWebhook()
      await fixture.change()
      await fixture.workerWith([{ status: 503, headers: { 'retry-after': retryAfter } }]).drain()
      const [delivery] = await fixture.readDeliveries()
      expect((delivery?.due_at_ms ?? 0) - fixture.context.clock.nowMs()).toBe(delayMs)
    })

    test('without an answer stores the reason', async () => {
      await fixture.createWebhook()
      await fixture.change()
      const refused = Object.assign(new Error('connect to secret path'), { code: 'ECONNREFUSED' })
      await fixture.workerWith([refused]).drain()
      expect(await fixture.readDeliveries()).toMatchObject([
        { state: 'pending', status: null, error: 'ECONNREFUSED', attempts: 1 },
      ])
      expect(fixture.everyLine()).not.toContain('secret path')
    })

    test('with the status 410 pauses the webhook at once', async () => {
      const id = await fixture.createWebhook()
      await fixture.change()
      await fixture.change()
      await fixture.workerWith([{ status: 410 }]).drain()
      expect((await fixture.call('GET', `/${id}`)).body.paused.reason).toBe('gone')
      expect((await states()).map(([state]) => state)).toEqual(['failed', 'failed'])
    })
  })

  describe('a lease', () => {
    test('gives each attempt to one of several processes', async () => {
      await fixture.createWebhook()
      for (let count = 0; count < 60; count += 1) await fixture.change('user.deleted', `usr_${count}`)
      const workers = Array.from({ length: 3 }, () => fixture.workerWith())
      await Promise.all(workers.map((worker) => worker.drain()))
      const ids = workers.flatMap(({ sent }) => sent.map(({ id }) => id))
      expect([ids.length, new Set(ids).size]).toEqual([60, 60])
    })

    test('that ends without an outcome leads to another attempt, and the late outcome is ignored', async () => {
      const id = await fixture.createWebhook()
      await fixture.change()
      const { promise, resolve } = Promise.withResolvers<void>()
      const stuck = fixture.createWorker(async () => {
        await promise
        return new Response(null, { status: 410 })
      })
      await stuck.poll()
      const other = fixture.workerWith()
      fixture.context.clock.advanceMs(webhookLimits.leaseMs - 1)
      await other.drain()
      expect(other.sent).toHaveLength(0)
      fixture.context.clock.advanceMs(1)
      await other.drain()
      expect(other.sent).toHaveLength(1)
      resolve()
      await stuck.stop()
      expect(await fixture.readDeliveries()).toMatchObject([{ state: 'delivered', status: 204, attempts: 2 }])
      expect((await fixture.call('GET', `/${id}`)).body.state).toBe('enabled')
    })
  })

  describe('a replay', () => {
    const replay = (id: string, body: object) => fixture.call('POST', `/${id}/replay`, { body })

    test('by id sends the same message with a new signature', async () => {
      const id = await fixture.createWebhook()
      await fixture.change()
      await fixture.change()
      const worker = fixture.workerWith()
      await worker.drain()
      const first = worker.sent[0]
      fixture.context.clock.advanceSeconds(86_400)
      expect((await replay(id, { ids: [first?.id] })).body).toEqual({ replayed: 1, has_more: false })
      await worker.drain()
      const [, , again] = worker.sent
      expect(again).toMatchObject({ id: first?.id, body: first?.body })
      expect((again?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(86_400)
    })

    test('of all failed ones sends those of a pause too', async () => {
      const id = await fixture.createWebhook()
      const worker = fixture.workerWith([{ status: 204 }, { status: 410 }, { status: 204 }])
      await fixture.change('user.created')
      await worker.drain()
      await fixture.change('user.blocked_by_operator')
      await worker.drain()
      await fixture.change('user.deleted')
      await worker.drain()
      expect(worker.sent).toHaveLength(2)
      expect((await replay(id, { state: 'failed' })).body.code).toBe('webhook_paused')
      await fixture.call('PATCH', `/${id}`, { body: { state: 'enabled' } })
      expect((await replay(id, { state: 'failed' })).body.replayed).toBe(2)
      await worker.drain()
      expect(worker.types().slice(2).sort()).toEqual(['user.blocked', 'user.deleted'])
      expect(new Set((await states()).map(([state]) => state))).toEqual(new Set(['delivered']))
    })

    test('of a range sends its events, also those from before the webhook', async () => {
      await fixture.createWebhook()
      for (const event of ['user.created', 'user.blocked_by_operator', 'user.deleted']) {
        await fixture.change(event)
        fixture.context.clock.advanceSeconds(60)
      }
      const id = await fixture.createWebhook({
        url: 'https://new.example',
        events: ['user.blocked', 'user.deleted'],
      })
      const range = { created_after: '2026-01-01T00:00:05Z', created_before: '2026-01-01T00:02:05Z' }
      expect((await replay(id, range)).body).toEqual({ replayed: 1, has_more: false })
      const worker = fixture.workerWith()
      await worker.drain()
      const ours = worker.sent.filter(({ url }) => url === 'https://new.example')
      expect(ours.map(({ body }) => JSON.parse(body).type)).toEqual(['user.blocked'])
    })

    test.each([[{}], [{ ids: ['msg_1'], state: 'failed' }], [{ state: 'delivered' }], [{ ids: [] }]])(
      'with %j is refused',
      async (body) => {
        const id = await fixture.createWebhook()
        expect(await replay(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
      },
    )
  })

  test('a restored pause sends nothing that came before unless it is replayed', async () => {
    const id = await fixture.createWebhook()
    await fixture.call('PATCH', `/${id}`, { body: { state: 'paused' } })
    await fixture.change()
    await fixture.call('PATCH', `/${id}`, { body: { state: 'enabled' } })
    const worker = fixture.workerWith()
    await worker.drain()
    expect(worker.sent).toEqual([])
    expect(await states()).toEqual([['failed', 'webhook_paused']])
  })

  test('events and deliveries are deleted after 30 days', async () => {
    await fixture.createWebhook()
    await fixture.change()
    await fixture.workerWith().drain()
    const clean = () => cleanUp(database(), fixture.context.clock, collectExpiryRules(capabilities))
    fixture.context.clock.advanceSeconds(30 * 86_400 - 1)
    await clean()
    expect([(await fixture.readEvents()).length, (await fixture.readDeliveries()).length]).toEqual([1, 1])
    fixture.context.clock.advanceSeconds(1)
    await clean()
    expect([await fixture.readEvents(), await fixture.readDeliveries()]).toEqual([[], []])
  })
})
