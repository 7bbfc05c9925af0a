/** The state of the server, as the Admin API returns it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { updateRunningServer } from '../../kernel/keys/running-servers.ts'
import { type AdminFixture, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { writeBuiltPages } from '../../testing/built-pages.ts'
import { capabilities } from '../capabilities.ts'

forEachEngine((database) => {
  let fixture: AdminFixture
  let key: string
  const open = async (environment: Readonly<Record<string, string>> = {}) => {
    fixture = await adminFixture(database(), {
      config: parseConfig(environment, collectEnvironment(capabilities)),
    })
    key = await fixture.newKey({ appId: null, scopes: ['stats:read'] })
  }
  const readSystem = async () => (await fixture.call('GET', '/system', { key })).body

  test('contains release, keys and running servers, and no missing migration', async () => {
    await open()
    const { db, clock, config, keyring } = fixture.context
    const now = Math.floor(clock.nowMs() / 1_000)
    await updateRunningServer(db, { id: 'one', name: 'web-1 (process 7)', keys: [] }, now)
    const body = await readSystem()
    expect(body).toMatchObject({
      release: config.release,
      servers: ['web-1 (process 7)'],
      migrations: { missing: [] },
      webhooks: { pending: 0, oldest_due_at: null, paused_webhooks: 0 },
    })
    expect(body.migrations.done).toBeGreaterThan(20)
    const signing = new Date(keyring.createdAt().signing * 1_000).toISOString()
    expect(body.keys[0]).toEqual({ purpose: 'signing', created_at: signing })
    clock.advanceSeconds(200)
    expect((await readSystem()).servers).toEqual([])
  })

  test('names missing migrations', async () => {
    await open()
    const ledger = sql.table(`${product.key}_migrations`)
    const { rows } = await sql`delete from ${ledger} where name = 'admin/0001-tables' returning *`.execute(
      fixture.context.db,
    )
    const [row] = rows as { name: string; done_at: string }[]
    onTestFinished(async () => {
      await sql`insert into ${ledger} (name, done_at) values (${row?.name}, ${row?.done_at})`.execute(
        database().db,
      )
    })
    expect((await readSystem()).migrations.missing).toEqual(['admin/0001-tables'])
  })

  test('counts waiting deliveries and paused webhooks', async () => {
    await open()
    const webhooks = `/apps/${fixture.app.id}/webhooks`
    const paused = await fixture.call('POST', webhooks, { body: { url: 'https://hooks.example/paused' } })
    await fixture.call('PATCH', `${webhooks}/${paused.body.id}`, { body: { state: 'paused' } })
    const { body } = await fixture.call('POST', webhooks, { body: { url: 'https://hooks.example/latchkey' } })
    await fixture.call('POST', `${webhooks}/${body.id}/test`)
    const due = new Date(fixture.context.clock.nowMs()).toISOString()
    fixture.context.clock.advanceSeconds(90)
    expect((await readSystem()).webhooks).toEqual({ pending: 1, oldest_due_at: due, paused_webhooks: 1 })
  })

  test('checks providers at most once a minute, and returns no address with a secret', async () => {
    let connections = 0
    const prices = createServer().listen(0, '127.0.0.1')
    prices.on('connection', () => {
      connections += 1
    })
    await new Promise((resolve) => prices.once('listening', resolve))
    const { port } = prices.address() as AddressInfo
    await open({ PRICE_FEED_URL: `http://127.0.0.1:${port}/secret` })
    const priceState = async () =>
      (await readSystem()).providers.find(
        ({ variable }: { variable: string }) => variable === 'PRICE_FEED_URL',
      )
    const reachable = await priceState()
    expect(reachable).toMatchObject({ host: `127.0.0.1:${port}`, is_reachable: true, problem: null })
    expect(JSON.stringify(await readSystem())).not.toContain('secret')
    expect(connections).toBe(1)
    await new Promise((resolve) => prices.close(resolve))
    expect(await priceState()).toEqual(reachable)
    fixture.context.clock.advanceSeconds(61)
    expect(await priceState()).toMatchObject({ is_reachable: false, problem: 'ECONNREFUSED' })
  })

  test('contains the hashes of the pages', async () => {
    const built = writeBuiltPages()
    onTestFinished(() => built.remove())
    await open({ DIALOG_DIST: built.dialogDist, WALLET_DIST: join(built.walletDist, 'missing') })
    const html = readFileSync(join(built.dialogDist, 'index.html'))
    expect((await readSystem()).pages).toEqual({
      dialog: createHash('sha256').update(html).digest('hex'),
      wallet: null,
    })
  })

  test('needs a key of every app', async () => {
    await open()
    expect(await fixture.call('GET', '/system')).toMatchObject({
      status: 403,
      body: { code: 'key_of_one_app' },
    })
  })
})
