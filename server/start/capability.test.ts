/** A guest capability: every contribution works without a change to other files. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../identity/apps/apps.ts'
import { changeSettings, setFields } from '../identity/apps/manage.ts'
import { appById } from '../identity/apps/store.ts'
import { browserKey } from '../identity/sessions/testing/browser-key.ts'
import {
  amendRestored,
  type Capability,
  collectDroppedTables,
  collectEnvironment,
  collectExpiryRules,
  collectMigrations,
  combineCapabilities,
  createUnbuiltSettings,
  openPorts,
  port,
} from '../kernel/capability.ts'
import { parseConfig } from '../kernel/config.ts'
import { cleanUp } from '../kernel/db/cleanup.ts'
import { forEachEngine } from '../kernel/db/test-engines.ts'
import type { Reader } from '../kernel/ports.ts'
import { registryKey } from '../kernel/registry.ts'
import { writeBuiltPages } from '../testing/built-pages.ts'
import { type TestContext, testApp, testContext } from '../testing/context.ts'
import { guestCapability } from '../testing/guest-capability.ts'
import { startUnreliableParty } from '../testing/unreliable-party.ts'
import { createApp, type Server } from './app.ts'
import { capabilities } from './capabilities.ts'

const thirdParty = await startUnreliableParty()
const built = writeBuiltPages()
afterAll(() => built.remove())
beforeEach(() => thirdParty.reset())

/** The setting that enables the guest capability for an app. */
const guestIsOn = ['allowed_native_app_ids', ['guest']] as const
const added = { migrations: collectMigrations([guestCapability()]) }

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let server: Server

  const serverWith = (guest: Capability) =>
    createApp(context, { isMigrated: async () => true }, [...capabilities, guest])
  beforeEach(async () => {
    const guest = guestCapability()
    const list = [...capabilities, guest]
    const config = {
      ...parseConfig({ GUEST_URL: thirdParty.url }, collectEnvironment(list)),
      dialogDist: built.dialogDist,
      walletDist: built.walletDist,
      loaderDist: built.loaderDist,
    }
    context = await testContext(database(), { config, capabilities: list })
    openPorts([guest], context, context.ports)
    app = await testApp(context)
    server = serverWith(guest)
  })

  const key = browserKey()
  const dialogHost = 'dialog.localhost:4000'
  const login = async (path: string, requestId = randomBytes(12).toString('base64url'), name = 'Ada') => {
    const url = `http://${dialogHost}/api/v1${path}`
    const body = JSON.stringify({ name })
    const atSeconds = Math.floor(context.clock.nowMs() / 1_000)
    const answer = await server.request(url, {
      method: 'POST',
      headers: {
        host: dialogHost,
        origin: `http://${dialogHost}`,
        'content-type': 'application/json',
        'latchkey-app-id': app.id,
        'latchkey-request-id': requestId,
        dpop: key.prove({ url, atSeconds, requestId, body }),
      },
      body,
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  const visits = async () => {
    const { rows } = await sql<{ ticket: string }>`select ticket from guest_visits`.execute(context.db)
    return rows.map(({ ticket }) => ticket)
  }

  describe('a call to a third party', () => {
    test('logs in, and a repeated call sends no further request', async () => {
      const first = await login('/guest/login', 'request-1')
      expect(first).toMatchObject({ status: 200, body: { is_new_user: true } })
      const again = await login('/guest/login', 'request-1')
      expect(again.body.refresh_token).toBe(first.body.refresh_token)
      const [ticket] = await visits()
      expect(await thirdParty.readRequests()).toMatchObject({
        asked: { [`${ticket}`]: 1, [`thanks for ${ticket}`]: 1 },
        total: 2,
      })
      expect(await login('/guest/login')).toMatchObject({ body: { is_new_user: false } })
    })

    test.each(['/guest/login', '/guest/login_once'])(
      '%s: a parallel retry waits for a late response',
      async (path) => {
        await thirdParty.setBehaviour('late')
        const first = login(path, 'request-1')
        await thirdParty.readRequests(0)
        const twin = login(path, 'request-1')
        await thirdParty.setBehaviour('right')
        const [one, other] = await Promise.all([first, twin])
        expect(one.status).toBe(200)
        expect(other.body.refresh_token).toBe(one.body.refresh_token)
        expect(await visits()).toHaveLength(1)
      },
    )

    test('handles a duplicate response once', async () => {
      await thirdParty.setBehaviour('twice')
      expect(await login('/guest/login_once')).toMatchObject({ status: 200 })
      expect(await login('/guest/login_once')).toMatchObject({ status: 200 })
      expect(await visits()).toHaveLength(2)
    })

    test.each(['garbage', 'failure'] as const)(
      'after %s, a repeatable request is repeated',
      async (manner) => {
        await thirdParty.setBehaviour(manner)
        expect(await login('/guest/login', 'request-1')).toMatchObject({ status: 500 })
        await thirdParty.setBehaviour('right')
        expect(await login('/guest/login', 'request-1')).toMatchObject({ status: 200 })
        const [ticket] = await visits()
        expect((await thirdParty.readRequests()).asked[`${ticket}`]).toBe(2)
      },
    )

    test.each(['garbage', 'failure'] as const)(
      'after %s, a non-repeatable request is not repeated',
      async (manner) => {
        await thirdParty.setBehaviour(manner)
        const unknown = { status: 400, body: { code: 'outcome_unknown' } }
        expect(await login('/guest/login_once', 'request-1')).toMatchObject(unknown)
        await thirdParty.setBehaviour('right')
        expect(await login('/guest/login_once', 'request-1')).toMatchObject(unknown)
        expect(await thirdParty.readRequests()).toMatchObject({ total: 1 })
        expect(await visits()).toEqual([])
      },
    )

    test('after a timeout, a repeatable request is repeated and a non-repeatable one is unknown', async () => {
      server = serverWith(guestCapability(200))
      await thirdParty.setBehaviour('never')
      expect(await login('/guest/login', 'request-1')).toMatchObject({ status: 503 })
      const unknown = { status: 400, body: { code: 'outcome_unknown' } }
      expect(await login('/guest/login_once', 'request-2')).toMatchObject(unknown)
      await thirdParty.setBehaviour('right')
      server = serverWith(guestCapability())
      expect(await login('/guest/login', 'request-1')).toMatchObject({ status: 200 })
      expect(await login('/guest/login_once', 'request-2')).toMatchObject(unknown)
      expect(await visits()).toHaveLength(1)
    })

    test('consumes the quota before each ask, including a repeated one', async () => {
      await thirdParty.setBehaviour('failure')
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await login('/guest/login', 'request-1')).toMatchObject({ status: 500 })
      }
      const refused = await login('/guest/login', 'request-1')
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(refused.headers.get('retry-after')).toBe('600')
      expect(await thirdParty.readRequests()).toMatchObject({ total: 5 })
    })
  })

  describe('a page', () => {
    const ours = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const start = (headers: Readonly<Record<string, string>>) =>
      server.request('/guest/start/t1', { headers: { host: dialogHost, ...headers } })
    const callback = (body: string, type = 'application/x-www-form-urlencoded') =>
      server.request('/guest/callback', {
        method: 'POST',
        headers: { host: dialogHost, origin: 'https://provider.example', 'content-type': type },
        body,
      })

    test('a page redirects navigations from our own pages only', async () => {
      const answer = await start(ours)
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`${thirdParty.url}/authorize?state=t1`)
      for (const site of ['cross-site', 'same-site', 'none']) {
        expect((await start({ ...ours, 'sec-fetch-site': site })).status).toBe(403)
      }
      expect((await start({})).status).toBe(403)
    })

    test('a page exists on its own hostname only', async () => {
      expect((await start({ ...ours, host: 'wallet.localhost:4000' })).status).toBe(404)
      expect((await start({ ...ours, host: 'elsewhere.localhost:4000' })).status).toBe(404)
    })

    test('a page accepts a cross-site form post and responds with HTML under its own policy', async () => {
      const answer = await callback('state=s1&display_name=Ada')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
      )
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await answer.text()).toContain('<title>Welcome</title>s1')
    })

    test('a page rejects another media type and a missing field, by its sent name', async () => {
      expect((await callback('{}', 'application/json')).status).toBe(415)
      const lacking = await callback('state=s1')
      expect(lacking.status).toBe(422)
      expect(lacking.headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
      expect(await lacking.json()).toMatchObject({ details: { path: 'display_name' } })
      expect((await callback(`state=${'a'.repeat(300_000)}&display_name=Ada`)).status).toBe(413)
    })
  })

  test('expired rows of a capability are deleted', async () => {
    await login('/guest/login')
    const expiryRules = collectExpiryRules([...capabilities, guestCapability()])
    context.clock.advanceSeconds(59)
    await cleanUp(database(), context.clock, expiryRules)
    expect(await visits()).toHaveLength(1)
    context.clock.advanceSeconds(1)
    await cleanUp(database(), context.clock, expiryRules)
    expect(await visits()).toEqual([])
  })

  test('user rows of a capability are deleted with their user only', async () => {
    const ids: string[] = []
    for (const name of ['Ada', 'Grace']) {
      ids.push((await login('/guest/login', undefined, name)).body.user.id)
    }
    const [userId = ''] = ids
    const { forget } = context.capabilities
    await context.transaction((trx) => forget(trx, { appId: app.id, userId, identifiers: [], nowSeconds: 0 }))
    const { rows } = await sql<{ user_id: string }>`select user_id from guest_visits`.execute(context.db)
    expect(rows.map(({ user_id }) => user_id)).toEqual(ids.slice(1))
  })

  test('a capability declares dropped tables and amends restored rows', async () => {
    await login('/guest/login')
    const guest = guestCapability()
    expect(collectDroppedTables([...capabilities, guest])).toContain('guest_visits')
    const late: Capability = {
      name: 'late',
      restored: {
        async amend(writer, { nowSeconds, keepsSessions }) {
          await sql`update guest_visits set name = ${`${nowSeconds} ${keepsSessions}`}`.execute(writer)
        },
      },
    }
    await amendRestored([guest, late], context.db, { nowSeconds: 7, keepsSessions: false })
    const { rows } = await sql<{ name: string }>`select name from guest_visits`.execute(context.db)
    expect(rows).toEqual([{ name: '7 false' }])
  })

  test('migrations of a capability run on an existing database, under its name', async () => {
    const { rows } = await sql<{ name: string }>`select name from latchkey_migrations order by name`.execute(
      context.db,
    )
    expect(rows.map(({ name }) => name)).toContain('guest/0001-visits')
    expect(await database().isMigrated()).toBe(true)
  })

  test('the dialog policy contains the sources of a capability if the app uses it', async () => {
    const policy = async () => {
      const headers = { host: dialogHost }
      const page = await server.request(`/apps/${app.id}/dialog`, { headers })
      return page.headers.get('content-security-policy') ?? ''
    }
    expect(await policy()).not.toContain(thirdParty.url)
    await setFields(context.db, context.clock, app.id, [guestIsOn])
    context.clock.advanceSeconds(2)
    const directives = Object.fromEntries(
      (await policy()).split('; ').map((directive) => directive.split(/ (.*)/).slice(0, 2)),
    )
    expect(directives['script-src']).toBe(`'self' ${thirdParty.url}`)
    expect(directives['connect-src']).toBe(`'self' ${thirdParty.url}`)
    expect(directives['frame-src']).toBe(`http://wallet.localhost:4000 ${thirdParty.url}`)
    expect(directives['style-src']).toBe("'self'")
  })

  test('a setting can be turned on only if its capability is in the list', async () => {
    const { db, clock } = context
    const turnOn = (list: readonly Capability[]) =>
      changeSettings(db, clock, app.id, [guestIsOn], {
        unbuiltSettings: createUnbuiltSettings(list),
        ownOrigins: [],
      })
    const before = await appById(db, app.id)
    await expect(turnOn([])).rejects.toMatchObject({ code: 'not_supported' })
    expect(await appById(db, app.id)).toEqual(before)
    await turnOn([guestCapability()])
    clock.advanceSeconds(2)
    const changed = await context.apps.find(app.id)
    if (!changed) throw new Error('There is an app')
    const unbuiltWith = (list: readonly Capability[]) => createUnbuiltSettings(list)(changed.config)
    expect(unbuiltWith([])).toContain('allowed_native_app_ids.guest')
    expect(unbuiltWith([guestCapability()])).not.toContain('allowed_native_app_ids.guest')
    expect(context.capabilities.unbuiltSettings(changed.config)).toEqual([])
  })

  test('identifiers of a capability are passed to every deletion, and its events are activity', async () => {
    const forgotten: (readonly string[])[] = []
    const forgetting: Capability = {
      name: 'forgetting',
      forget: async (_trx, { identifiers }) => void forgotten.push(identifiers),
    }
    const guest: Capability = {
      name: 'guest',
      identifiers: async (_trx, userId) => [`guest ${userId}`],
      activity: { 'guest.visited': { kind: 'app_connected', namesApp: true } },
    }
    const { forget, activity } = combineCapabilities([forgetting, guest], context.config)
    const leaving = { appId: app.id, userId: 'ada', identifiers: ['ada@example.com'], nowSeconds: 0 }
    await context.transaction((trx) => forget(trx, leaving))
    expect(forgotten).toEqual([['ada@example.com', 'guest ada']])
    expect(activity).toEqual({ 'guest.visited': { kind: 'app_connected', namesApp: true } })
  })
}, added)

test('parses the environment of listed capabilities and reports all errors together', () => {
  const withGuest = collectEnvironment([...capabilities, guestCapability()])
  expect(() => parseConfig({ GUEST_STOPS: 'maybe', PORT: 'x' }, withGuest)).toThrow(
    'PORT must be a number\nGUEST_URL Invalid key: Expected "GUEST_URL" but received undefined\nGUEST_STOPS must be yes or no',
  )
  expect(() => parseConfig({ GUEST_STOPS: 'maybe' }, collectEnvironment(capabilities))).not.toThrow()
})

test('closes ports in reverse order, and rejects a key that is not in the registry', async () => {
  const closed: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map((name) => registryKey<string>(name))
  if (!first || !second || !third) throw new Error('There are three')
  const opens = (key: typeof first, value: string) =>
    port(key, () => ({ value, close: () => void closed.push(value) }))
  const context = { config: parseConfig({}), clock: { nowMs: () => 0 }, log: null as never }
  const registry = { description: 'a test' }
  const list = [
    { name: 'one', ports: [opens(first, 'a')] },
    { name: 'two', ports: [opens(second, 'b')] },
  ]
  const close = openPorts(list, context, registry)
  expect(second.get(registry)).toBe('b')
  expect(() => third.get(registry)).toThrow('third is not among a test')
  await close()
  expect(closed).toEqual(['b', 'a'])
})

test('rejects a source that would end its directive', async () => {
  const hostile: Capability = {
    name: 'hostile',
    sources: () => ({ script: ["https://a.example; script-src 'unsafe-inline'"] }),
  }
  const { sourcesFor } = combineCapabilities([hostile], parseConfig({}))
  await expect(sourcesFor({} as App, {} as Reader)).rejects.toThrow('single word')
})
