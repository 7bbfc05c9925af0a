/** Calls about webhooks, as the programs of operators make them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { withOutboxTables } from '../../identity/outbox/outbox.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { createCommandContext } from '../../testing/context.ts'
import { webhooksCommand } from './command.ts'
import { webhookLimits } from './limits.ts'
import { type WebhookFixture, webhookFixture } from './testing/fixture.ts'

forDefaultEngine((database) => {
  let fixture: WebhookFixture
  beforeEach(async () => {
    fixture = await webhookFixture(database())
  })
  const url = 'https://hooks.example/secret-path'

  test('creates, lists, changes and deletes a webhook', async () => {
    const created = await fixture.call('POST', '', {
      body: { url, description: ' Orders ', events: ['user.created', 'user.created'] },
    })
    const { id } = created.body
    expect(id).toMatch(/^whk_[A-Za-z0-9_-]{24}$/)
    const webhook = {
      id,
      app_id: fixture.app.id,
      url,
      description: 'Orders',
      events: ['user.created'],
      state: 'enabled',
      paused: null,
      failing_since: null,
      created_at: '2026-01-01T00:00:05.000Z',
    }
    const read = await fixture.call('GET', `/${id}`)
    expect([read.body, read.headers.get('etag')]).toEqual([webhook, created.headers.get('etag')])
    expect((await fixture.call('GET', '')).body).toEqual({ data: [webhook] })
    await fixture.call('PATCH', `/${id}`, { body: { events: [], description: '' } })
    expect((await fixture.call('GET', `/${id}`)).body).toEqual({ ...webhook, events: [], description: '' })
    await fixture.call('DELETE', `/${id}`)
    expect((await fixture.call('GET', `/${id}`)).body.code).toBe('webhook_not_found')
    expect((await fixture.call('GET', '')).body).toEqual({ data: [] })
  })

  test('a repeated call creates one webhook, and stores no secret in its answer', async () => {
    const request = { body: { url }, headers: { 'idempotency-key': 'create-1' } }
    const [first, second] = [await fixture.call('POST', '', request), await fixture.call('POST', '', request)]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await fixture.call('GET', '')).body.data).toHaveLength(1)
    expect(first.text).not.toMatch(/whsec_|whpk_/)
  })

  test('a change fails if the webhook has changed since it was read', async () => {
    const id = await fixture.createWebhook()
    const etag = (await fixture.call('GET', `/${id}`)).headers.get('etag') ?? ''
    const conditional = { headers: { 'if-match': etag } }
    await fixture.call('PATCH', `/${id}`, { body: { description: 'other' } })
    const change = await fixture.call('PATCH', `/${id}`, { ...conditional, body: { state: 'paused' } })
    expect(change.body.code).toBe('precondition_failed')
    expect((await fixture.call('DELETE', `/${id}`, conditional)).body.code).toBe('precondition_failed')
    expect((await fixture.call('GET', `/${id}`)).body.state).toBe('enabled')
  })

  test('an app has at most 20 webhooks', async () => {
    for (let count = 0; count < 20; count += 1) await fixture.createWebhook()
    expect(await fixture.call('POST', '', { body: { url } })).toMatchObject({
      status: 409,
      body: { code: 'too_many_webhooks' },
    })
  })

  test('an unknown event type is refused', async () => {
    const answer = await fixture.call('POST', '', { body: { url, events: ['user.created', 'user.hacked'] } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_data', path: 'events.1' } })
  })

  test('a webhook of another app does not exist for a key', async () => {
    const id = await fixture.createWebhook()
    const other = await fixture.newApp()
    const key = await fixture.newKey({ appId: other.id })
    const path = `/apps/${other.id}/webhooks/${id}`
    for (const [method, below, body] of [
      ['GET', ''],
      ['GET', '/secret'],
      ['GET', '/deliveries'],
      ['PATCH', '', { state: 'paused' }],
      ['POST', '/secret/rotate', {}],
      ['POST', '/replay', { state: 'failed' }],
      ['POST', '/test'],
      ['DELETE', ''],
    ] as const) {
      const answer = await fixture.callAdmin(method, path + below, { key, ...(body && { body }) })
      expect([method, below, answer.body.code]).toEqual([method, below, 'webhook_not_found'])
    }
  })

  describe('a rotated secret', () => {
    test('signs together with the earlier one until the overlap ends', async () => {
      const id = await fixture.createWebhook()
      const readSecrets = async () => (await fixture.call('GET', `/${id}/secret`)).body.data
      const [earlier] = await readSecrets()
      expect(earlier.expires_at).toBeNull()
      const rotation = await fixture.call('POST', `/${id}/secret/rotate`, { body: { overlap_seconds: 60 } })
      expect(rotation.body).toEqual({ id, earlier_expire_at: '2026-01-01T00:01:05.000Z' })
      const [current, ...others] = await readSecrets()
      expect(others).toEqual([{ ...earlier, expires_at: '2026-01-01T00:01:05.000Z' }])
      expect([current.secret, current.public_key]).not.toContain(earlier.secret)
      const worker = fixture.workerWith()
      await fixture.change()
      await worker.drain()
      fixture.context.clock.advanceSeconds(60)
      await fixture.change()
      await worker.drain()
      expect(worker.sent.map(({ signature }) => signature.split(' ').length)).toEqual([4, 2])
      expect(await readSecrets()).toEqual([current])
    })

    test('without an overlap replaces a leaked one at once', async () => {
      const id = await fixture.createWebhook()
      await fixture.call('POST', `/${id}/secret/rotate`, { body: { overlap_seconds: 0 } })
      expect((await fixture.call('GET', `/${id}/secret`)).body.data).toHaveLength(1)
    })

    test('is shown to keys that may change webhooks only', async () => {
      const id = await fixture.createWebhook()
      const key = await fixture.newKey({ scopes: ['webhooks:read'] })
      expect((await fixture.call('GET', `/${id}/secret`, { key })).body.code).toBe('insufficient_scope')
      expect((await fixture.call('GET', `/${id}`, { key })).status).toBe(200)
    })
  })

  test('lists deliveries in pages, newest first, with their last attempt', async () => {
    const id = await fixture.createWebhook()
    for (let count = 0; count < 3; count += 1) {
      await fixture.change()
      fixture.context.clock.advanceSeconds(60)
    }
    await fixture.workerWith([{ status: 500 }, { status: 204 }]).drain()
    const first = await fixture.call('GET', `/${id}/deliveries?limit=2`)
    const second = await fixture.call('GET', `/${id}/deliveries?limit=2&after=${first.body.next}`)
    expect([first.body.data.length, second.body.data.length, second.body.next]).toEqual([2, 1, null])
    const [failed] = (await fixture.call('GET', `/${id}/deliveries?state=pending`)).body.data
    expect(failed).toMatchObject({
      type: 'user.blocked',
      state: 'pending',
      attempts: 1,
      next_attempt_at: '2026-01-01T00:03:10.500Z',
      last_attempt: { at: '2026-01-01T00:03:05.000Z', status: 500, error: 'http_500' },
    })
    const one = await fixture.call('GET', `/${id}/deliveries/${failed.id}`)
    expect(JSON.parse(one.body.body)).toMatchObject({ type: 'user.blocked', data: { user_id: 'usr_ada' } })
    expect((await fixture.call('GET', `/${id}/deliveries/msg_none`)).body.code).toBe('delivery_not_found')
  })

  test('returns and prints each attempt of a delivery for 30 days, also after a replay', async () => {
    const id = await fixture.createWebhook()
    const { clock, db } = fixture.context
    await fixture.change()
    const worker = fixture.workerWith([{ status: 500 }, new TypeError('no answer'), { status: 204 }])
    await worker.drain()
    clock.advanceSeconds(10)
    await worker.drain()
    clock.advanceSeconds(600)
    await worker.drain()
    const [{ id: delivery }] = (await fixture.call('GET', `/${id}/deliveries`)).body.data
    await fixture.call('POST', `/${id}/replay`, { body: { ids: [delivery] } })
    clock.advanceSeconds(60)
    await worker.drain()
    const readHistory = async () => (await fixture.call('GET', `/${id}/deliveries/${delivery}`)).body.history
    expect(await readHistory()).toEqual([
      { at: '2026-01-01T00:11:15.000Z', status: 204, duration_ms: expect.any(Number), error: null },
      { at: '2026-01-01T00:10:15.000Z', status: 204, duration_ms: expect.any(Number), error: null },
      { at: '2026-01-01T00:00:15.000Z', status: null, duration_ms: expect.any(Number), error: 'TypeError' },
      { at: '2026-01-01T00:00:05.000Z', status: 500, duration_ms: expect.any(Number), error: 'http_500' },
    ])
    const printed = await webhooksCommand.run(
      fixture.app.id,
      ['attempts', id, delivery],
      db,
      createCommandContext(fixture.context),
    )
    expect(printed.lines.map((line) => line.replace(/ \d+ ms$/, ' 0 ms'))).toEqual([
      '2026-01-01T00:11:15.000Z  http_204  0 ms',
      '2026-01-01T00:10:15.000Z  http_204  0 ms',
      '2026-01-01T00:00:15.000Z  TypeError  0 ms',
      '2026-01-01T00:00:05.000Z  http_500  0 ms',
    ])
    clock.advanceSeconds(webhookLimits.keptSeconds - 300)
    await cleanUp(database(), clock, collectExpiryRules(capabilities))
    expect(await withOutboxTables(db).selectFrom('webhook_attempts').select('status').execute()).toEqual([
      { status: 204 },
      { status: 204 },
    ])
  })

  test('a test event is sent to its webhook only', async () => {
    const id = await fixture.createWebhook()
    await fixture.createWebhook()
    const { body } = await fixture.call('POST', `/${id}/test`)
    const worker = fixture.workerWith()
    await worker.drain()
    expect(worker.sent).toHaveLength(1)
    expect(worker.sent[0]?.id).toBe(body.id)
    expect(JSON.parse(worker.sent[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { app_id: fixture.app.id, webhook_id: id },
    })
    await fixture.call('PATCH', `/${id}`, { body: { state: 'paused' } })
    expect((await fixture.call('POST', `/${id}/test`)).body.code).toBe('webhook_paused')
  })

  test('a deleted webhook gets nothing', async () => {
    const id = await fixture.createWebhook()
    await fixture.change()
    await fixture.call('DELETE', `/${id}`)
    const worker = fixture.workerWith()
    await worker.drain()
    expect([worker.sent, await fixture.readDeliveries()]).toEqual([[], []])
  })

  test.each(['webhooks', 'webhook_secrets'] as const)(
    'a delivery is dropped if a concurrent deletion has removed the row in %s',
    async (table) => {
      await fixture.createWebhook()
      await fixture.change()
      await withOutboxTables(fixture.context.db).deleteFrom(table).execute()
      const worker = fixture.workerWith()
      await worker.drain()
      expect([worker.sent, await fixture.readDeliveries()]).toEqual([[], []])
    },
  )

  test('changes are in the audit chain with the webhook and without its URL', async () => {
    const id = await fixture.createWebhook({ url })
    await fixture.call('PATCH', `/${id}`, { body: { state: 'paused' } })
    const entries = await fixture.readAudit()
    expect(entries.at(-1)).toMatchObject({ operation: 'updateWebhook', target: id, result: 'ok' })
    expect(JSON.stringify(entries)).not.toContain('secret-path')
  })

  describe('latchkey app webhooks', () => {
    const run = (...args: string[]) =>
      webhooksCommand.run(fixture.app.id, args, fixture.context.db, createCommandContext(fixture.context))

    test('creates a webhook, prints its secret, and lists it', async () => {
      const added = await run('add', url, '--event', 'user.deleted')
      const [, id = ''] = /^Webhook: +(whk_\S+)$/m.exec(added.lines.join('\n')) ?? []
      const [{ secret, public_key: publicKey }] = (await fixture.call('GET', `/${id}/secret`)).body.data
      expect(added.lines.slice(1)).toEqual([`Secret:     ${secret}`, `Public key: ${publicKey}`])
      expect((await run('list')).lines).toEqual([`${id}  enabled  ${url}  user.deleted`])
      expect((await run('secret', id)).lines).toEqual([`${secret}  ${publicKey}`])
    })

    test('pauses, enables, replays, tests, rotates and removes a webhook', async () => {
      const id = await fixture.createWebhook()
      await run('pause', id)
      await fixture.change()
      expect(await run('test', id)).toEqual({ type: 'refused', lines: [`Enable the webhook ${id} first.`] })
      await run('enable', id)
      expect((await run('replay', id)).lines).toEqual(['Deliveries that are sent again: 1'])
      await run('test', id)
      await run('rotate', id)
      const worker = fixture.workerWith()
      await worker.drain()
      expect(worker.types().sort()).toEqual(['user.blocked', 'webhook.test'])
      expect(worker.sent[0]?.signature.split(' ')).toHaveLength(4)
      await run('remove', id)
      expect((await run('list')).lines).toEqual([])
    })

    test.each([
      [['add', 'http://hooks.example'], 'refused', 'http://hooks.example is no https URL.'],
      [
        ['add', url, '--event', 'user.hacked'],
        'refused',
        'There is no event user.hacked. Events: user.created, ',
      ],
      [['pause', 'whk_none'], 'refused', ' has no webhook whk_none.'],
      [['secret', 'whk_none'], 'refused', ' has no webhook whk_none.'],
      [['list', 'more'], 'misused', ''],
      [['add'], 'misused', ''],
    ])('%j is %s', async (args, type, line) => {
      const outcome = await run(...args)
      expect(outcome.type).toBe(type)
      expect(outcome.lines.join('')).toContain(line)
    })
  })
})
