/** Which browser may continue in a window, for all purposes. */

import type { WindowPurpose } from '@latchkey/protocol/api'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { appFixture } from '../../testing/fixture.ts'
import { immediateWaits } from '../../testing/waits.ts'
import { loginWindow } from './capability.ts'
import { awaitedDigits, beginDeparture, beginWindow, prove, wasSentOn } from './start.ts'
import { findWindow, windowId } from './store.ts'
import { browserWindow, type NewHandle, navigation, newHandle, proofOf } from './testing/browser-window.ts'

const purposes = capabilities
  .flatMap(({ pages = [] }) => pages)
  .flatMap(
    ({ method, path }) => /^\/([\w-]+)\/start\/\{handle\}$/.exec(method === 'GET' ? path : '')?.[1] ?? [],
  )

test('each capability with a window has its own start page', () => {
  const known: readonly WindowPurpose[] = ['cross-app', 'oauth', 'passkey', 'telegram']
  expect(purposes.toSorted()).toEqual(known)
})

forEachEngine((database) => {
  let fixture: Awaited<ReturnType<typeof appFixture>>
  let context: typeof fixture.context
  beforeEach(async () => {
    fixture = await appFixture(database(), [])
    context = fixture.context
  })
  const appNow = async () => {
    const app = await context.apps.find(fixture.app.id)
    if (!app) throw new Error('There is one')
    return app
  }
  type Begin = { made?: NewHandle; digits?: string; origin?: string }
  const begin = async ({ made = newHandle(), digits, origin }: Begin = {}) => {
    const app = await appNow()
    const relay = { ...made.relay, ...(digits && { digits }), ...(origin && { origin }) }
    await context.transaction((trx) => beginWindow(trx, context, app, { purpose: 'oauth', relay }))
    return made
  }
  const windowOf = async ({ handle }: NewHandle) => {
    const key = { id: windowId(handle), purpose: 'oauth' } as const
    const found = await findWindow(context.db, key, context.clock.nowMs() / 1_000)
    if (!found) throw new Error('There is no such window')
    return found
  }
  const cutOff = async () => {
    await setFields(context.db, context.clock, fixture.app.id, [
      ['cross_origin_opener_policy', 'same-origin'],
    ])
    context.clock.advanceSeconds(5)
  }
  const path = (handle: string) => `/oauth/start/${handle}`

  describe('the start page', () => {
    test.each(purposes)('of %s is opened only by our own pages, in a window', async (purpose) => {
      const { handle } = await begin()
      const window = browserWindow(fixture.server)
      for (const said of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-mode': 'no-cors' },
        { 'sec-fetch-mode': 'cors' },
        { 'sec-fetch-dest': 'image' },
        { 'sec-fetch-dest': 'iframe' },
        { 'sec-fetch-dest': 'empty' },
      ]) {
        expect(await window.page(purpose, handle, said), JSON.stringify(said)).toMatchObject({
          status: 403,
        })
        const proof = await window.post(`/${purpose}/start/${handle}`, { signature: 's' }, said)
        expect(proof, JSON.stringify(said)).toMatchObject({ status: 403 })
      }
      expect(window.cookies.size).toBe(0)
      expect(await window.page(purpose, handle)).toMatchObject({ status: 200 })
    })

    test('has a new nonce each time, in a same-site cookie', async () => {
      const { handle } = await begin()
      const window = browserWindow(fixture.server)
      const pages = [await window.page('oauth', handle), await window.page('oauth', handle)]
      const nonces = pages.map(({ html }) => /nonce&quot;:&quot;([\w-]{43})&quot;/.exec(html)?.[1])
      expect(new Set(nonces).size).toBe(2)
      for (const [at, { headers }] of pages.entries()) {
        expect(headers.getSetCookie()).toEqual([
          expect.stringMatching(
            /^__Host-latchkey-start-[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
          ),
        ])
        expect(headers.getSetCookie()[0]).toContain(`=${nonces[at]};`)
      }
    })

    test('is the same for a handle that was never started', async () => {
      const window = browserWindow(fixture.server)
      const page = await window.page('oauth', newHandle().handle)
      expect(page.status).toBe(200)
      expect(page.html).toContain('<p>Contacting the app that opened this window.</p>')
    })

    test('reports an invalid handle', async () => {
      const window = browserWindow(fixture.server)
      for (const handle of ['%00', `${'a'.repeat(43)}%00`, 'a'.repeat(42)]) {
        const nothing = { status: 404, html: expect.stringContaining('This login did not start') }
        expect(await window.page('oauth', handle)).toMatchObject(nothing)
        expect(await window.post(path(handle), { signature: 's' })).toMatchObject(nothing)
      }
    })
  })

  describe('a signature', () => {
    const prepared = async () => {
      const made = await begin()
      const window = browserWindow(fixture.server)
      return { made, window, page: await window.page('oauth', made.handle) }
    }
    const foreign = {
      status: 400,
      html: expect.stringContaining('This may be a phishing attempt.'),
      location: null,
    }

    test('of the handle’s key is accepted in this browser', async () => {
      const { made } = await prepared()
      const proved = await prove(context, 'oauth', made.handle, proofOf(made, 'oauth', made.handle))
      expect(proved).toMatchObject({ type: 'proved', appId: fixture.app.id })
      const { browser } = proved as { browser: string }
      const sentOn = await windowOf(made)
      expect(wasSentOn(sentOn, browser)).toBe(true)
      expect(wasSentOn(sentOn, undefined)).toBe(false)
      expect(wasSentOn(sentOn, `${browser}x`)).toBe(false)
      expect(wasSentOn(await windowOf(await begin()), browser)).toBe(false)
    })

    test('of another key, handle, nonce or purpose is rejected, and leaves the handle usable', async () => {
      const { made, window, page } = await prepared()
      const other = newHandle()
      const wrong = [
        window.signed(other, page),
        ...[
          proofOf(made, 'telegram', made.handle),
          proofOf(made, 'oauth', other.handle),
          proofOf(made, 'oauth', made.handle),
          { signature: '' },
          { signature: 'AAAA' },
          { signature: '%' },
        ].map(({ signature }) => signature),
      ]
      for (const signature of wrong)
        expect(await window.post(path(made.handle), { signature })).toMatchObject(foreign)
      expect(await prove(context, 'telegram', made.handle, proofOf(made, 'telegram', made.handle))).toEqual({
        type: 'over',
      })
      const proved = await prove(context, 'oauth', made.handle, proofOf(made, 'oauth', made.handle))
      expect(proved).toMatchObject({ type: 'proved' })
    })

    // An attacker who opened the page in another browser can not create a signature over its nonce.
    test('over the nonce of another browser is rejected', async () => {
      const { made, window, page } = await prepared()
      const signature = window.signed(made, page)
      const other = browserWindow(fixture.server)
      expect(await other.post(path(made.handle), { signature })).toMatchObject({
        status: 403,
        html: expect.stringContaining('This login was started in another browser.'),
      })
      await other.page('oauth', made.handle)
      expect(await other.post(path(made.handle), { signature })).toMatchObject(foreign)
    })

    test('is accepted once, even by concurrent calls, and for ten minutes', async () => {
      const made = await begin()
      const all = await Promise.all(
        [1, 2, 3].map(() => prove(context, 'oauth', made.handle, proofOf(made, 'oauth', made.handle))),
      )
      expect(all.map(({ type }) => type).sort()).toEqual(['over', 'over', 'proved'])
      const late = await begin()
      context.clock.advanceSeconds(600)
      const proof = proofOf(late, 'oauth', late.handle)
      expect(await prove(context, 'oauth', late.handle, proof)).toEqual({ type: 'over' })
    })

    test('is required unless digits or a redirect apply', async () => {
      const { made, window } = await prepared()
      expect(await window.post(path(made.handle), { digits: '42' })).toMatchObject(foreign)
      expect(await prove(context, 'oauth', made.handle, { departure: true })).toEqual({ type: 'foreign' })
      const proof = proofOf(made, 'oauth', made.handle)
      expect(await prove(context, 'oauth', made.handle, proof)).toMatchObject({ type: 'proved' })
    })
  })

  describe('two digits', () => {
    const ask = (window: ReturnType<typeof browserWindow>, handle: string) =>
      window.open(`${path(handle)}?by=digits`, { headers: navigation })

    test('are not requested unless the operator enabled them', async () => {
      const made = await begin({ digits: '42' })
      const window = browserWindow(fixture.server)
      expect(await ask(window, made.handle)).toMatchObject({
        status: 404,
        html: expect.stringContaining('isolates its windows'),
      })
      await window.page('oauth', made.handle)
      expect(await window.post(path(made.handle), { digits: '42' })).toMatchObject({ status: 400 })
      expect(await prove(context, 'oauth', made.handle, proofOf(made, 'oauth', made.handle))).toMatchObject({
        type: 'proved',
      })
    })

    test('are requested by a page that names app and origin, and are accepted once', async () => {
      await cutOff()
      const origin = 'http://demo.localhost:4010'
      const made = await begin({ digits: '07', origin })
      const window = browserWindow(fixture.server)
      const { status, html } = await ask(window, made.handle)
      expect(status).toBe(200)
      for (const text of [(await appNow()).name, origin, 'Did you start this?', 'name="digits"']) {
        expect(html).toContain(text)
      }
      expect(html).not.toContain('07')
      expect(await prove(context, 'oauth', made.handle, { digits: '07' })).toMatchObject({ type: 'proved' })
      expect(await prove(context, 'oauth', made.handle, { digits: '07' })).toEqual({ type: 'over' })
      expect(await ask(window, made.handle)).toMatchObject({ status: 404 })
    })

    test.each(['24', '4', '', '42 2', '٤٢'])('that are wrong (%j) use up the only try', async (digits) => {
      await cutOff()
      const made = await begin({ digits: '42' })
      expect(await prove(context, 'oauth', made.handle, { digits })).toMatchObject({ type: 'wrong digits' })
      expect(await prove(context, 'oauth', made.handle, { digits: '42' })).toEqual({ type: 'over' })
      expect(await prove(context, 'oauth', made.handle, proofOf(made, 'oauth', made.handle))).toEqual({
        type: 'over',
      })
    })

    test('a hundred concurrent tries only use the first one', async () => {
      await cutOff()
      const made = await begin({ digits: '42' })
      const tries = Array.from({ length: 100 }, (_, guess) => String(guess).padStart(2, '0'))
      const all = await Promise.all(tries.map((digits) => prove(context, 'oauth', made.handle, { digits })))
      expect(all.filter(({ type }) => type !== 'over')).toHaveLength(1)
    })

    test('are awaited up to the wait limit', async () => {
      await cutOff()
      expect(await awaitedDigits(context, 'oauth', newHandle().handle, immediateWaits)).toBeUndefined()
      const made = await begin({ digits: '42' })
      expect(await awaitedDigits(context, 'telegram', made.handle, immediateWaits)).toBeUndefined()
      expect(await awaitedDigits(context, 'oauth', made.handle, immediateWaits)).toMatchObject({
        origin: null,
      })
    })
  })

  test('the browser that was sent on is stored in one window table only', async () => {
    const tables = await context.db.introspection.getTables()
    const withBrowser = tables
      .filter(({ columns }) => columns.some(({ name }) => name === 'browser_hash'))
      .map(({ name }) => name)
    // The previous release reads `window_starts`. The OpenID provider has its own browsers.
    expect(withBrowser.sort()).toEqual(['login_windows', 'openid_authorizations', 'window_starts'])
  })

  test('a hundred windows await digits with 21 database reads in total', async () => {
    const waiting = countStatements(context)
    const handles = Array.from({ length: 100 }, () => newHandle().handle)
    const shown = (handle: string) => awaitedDigits(waiting.context, 'oauth', handle, immediateWaits)
    expect(new Set(await Promise.all(handles.map(shown)))).toEqual(new Set([undefined]))
    expect(waiting.statements()).toBe(21)
  })

  describe('a handle', () => {
    test('is started once, with a valid key, for a listed origin', async () => {
      const made = await begin()
      const refused = (given: Begin) => expect(begin(given)).rejects
      await refused({ made }).toMatchObject({ code: 'invalid_data', details: { path: 'relay' } })
      const noPoint = { ...newHandle(), relay: { ...newHandle().relay, key: 'A'.repeat(87) } }
      await refused({ made: noPoint }).toMatchObject({
        code: 'invalid_data',
        details: { path: 'relay.key' },
      })
      await refused({ made: newHandle(), origin: 'https://stranger.example' }).toMatchObject({
        code: 'invalid_origin',
      })
      await begin({ made: newHandle(), origin: 'http://demo.localhost:4010' })
    })

    test('of a full-page redirect can not be used in a window', async () => {
      const app = await appNow()
      const made = newHandle()
      await context.transaction((trx) =>
        beginDeparture(trx, context, app, { handle: made.handle, origin: null }),
      )
      const proof = proofOf(made, 'oauth', made.handle)
      expect(await prove(context, 'oauth', made.handle, proof)).toEqual({ type: 'foreign' })
      expect(await prove(context, 'oauth', made.handle, { digits: '42' })).toEqual({ type: 'foreign' })
      expect(await prove(context, 'oauth', made.handle, { departure: true })).toMatchObject({
        type: 'proved',
      })
      expect(await prove(context, 'oauth', made.handle, { departure: true })).toEqual({ type: 'over' })
    })

    test('is stored as a hash, and deleted after ten minutes', async () => {
      const made = await begin()
      const rows = () =>
        context.db
          .withTables<{ login_windows: Record<string, unknown> }>()
          .selectFrom('login_windows')
          .selectAll()
          .execute()
      expect(await rows()).toHaveLength(1)
      expect(JSON.stringify(await rows())).not.toContain(made.handle)
      context.clock.advanceSeconds(599)
      await cleanUp(database(), context.clock, collectExpiryRules([loginWindow]))
      expect(await rows()).toHaveLength(1)
      context.clock.advanceSeconds(1)
      await cleanUp(database(), context.clock, collectExpiryRules([loginWindow]))
      expect(await rows()).toEqual([])
    })
  })
})
