/** The window that goes to a provider's confirmation page. */
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { browserWindow, newHandle } from '../window/testing/browser-window.ts'
import { type CrossAppFixture, crossAppFixture } from './testing/fixture.ts'
import { json, startScriptedProvider } from './testing/scripted-provider.ts'

const harbour = await startScriptedProvider('harbour.localhost')
const quay = await startScriptedProvider('quay.localhost')
afterAll(() => {
  harbour.close()
  quay.close()
})

const handle = 'h'.repeat(43)
const transactUrl = (at = harbour, origin = at.origin) => `${origin}/oauth/transact/${at.appId}#${handle}`
const notConnected = {
  status: 403,
  answer: { code: 'cross_app_connection_not_allowed', error: 'Invalid connected app' },
}

forDefaultEngine((database) => {
  let fixture: CrossAppFixture
  let token: string
  const api = 'http://api.localhost:4444'

  /** A user with a wallet at this provider. */
  async function loggedIn(at = harbour, from = fixture.browser) {
    const begun = await fixture.begin(at.provider, from)
    const [state, nonce] = ['state', 'nonce'].map((name) => begun.url.searchParams.get(name) ?? '')
    await fixture.comeBack(begun, new URLSearchParams({ code: 'code-1', state: state ?? '', iss: at.issuer }))
    const id_token = await at.idToken({ aud: fixture.app.id, nonce })
    at.on('/token', json(at.tokens({ id_token })))
    const body = await fixture.redemption(begun, at)
    return v.parse(sessionAnswer, (await from.call('loginWithOAuth', { body })).answer)
  }

  beforeEach(async () => {
    harbour.reset()
    quay.reset()
    fixture = await crossAppFixture(database())
    harbour.on(
      '/.well-known/openid-configuration',
      json({ ...harbour.metadata, latchkey_custom_api_url: api }),
    )
    await fixture.operator('add', harbour.issuer)
    await fixture.operator('add', quay.issuer)
    ;({ token } = await loggedIn())
  })

  const open = (change: object = {}, made = newHandle(), from = fixture.browser, by = token) =>
    from.call('openCrossAppWindow', {
      token: by,
      body: { relay: made.relay, provider: harbour.provider, transact_url: transactUrl(), ...change },
    })

  // spec W7.15, W7.16
  test('continues to the provider’s page with only the request’s handle', async () => {
    const made = newHandle()
    expect(await open({}, made)).toMatchObject({ status: 200, answer: { success: true } })
    const { status, location, html } = await browserWindow(fixture.server).start('cross-app', made)
    expect(status).toBe(200)
    expect(location).toBe(transactUrl())
    expect(html).not.toContain('access-1')
  })

  test('continues to a provider’s custom API origin as well', async () => {
    const made = newHandle()
    const address = transactUrl(harbour, api)
    expect(await open({ transact_url: address }, made)).toMatchObject({ status: 200 })
    expect(await browserWindow(fixture.server).start('cross-app', made)).toMatchObject({ location: address })
  })

  test('continues once', async () => {
    const made = newHandle()
    await open({}, made)
    await browserWindow(fixture.server).start('cross-app', made)
    const again = await browserWindow(fixture.server).start('cross-app', made)
    expect(again.html).not.toContain(handle)
    expect(again.location).toBeNull()
  })

  test('continues within two minutes', async () => {
    const made = newHandle()
    await open({}, made)
    fixture.context.clock.advanceSeconds(121)
    const { location, html } = await browserWindow(fixture.server).start('cross-app', made)
    expect(location).toBeNull()
    expect(html).not.toContain(handle)
  })

  test('continues only in the browser that created its handle', async () => {
    const made = newHandle()
    await open({}, made)
    const theirs = await browserWindow(fixture.server).start('cross-app', {
      ...made,
      startKey: newHandle().startKey,
    })
    expect(theirs.location).toBeNull()
    expect(theirs.html).not.toContain(handle)
  })

  test('does not continue on a page of another purpose', async () => {
    const made = newHandle()
    await open({}, made)
    expect((await browserWindow(fixture.server).start('oauth', made)).location).toBeNull()
  })

  test('stores its destination sealed', async () => {
    await open()
    const rows = await fixture.context.db
      .withTables<{ login_windows: Record<'purpose', string> }>()
      .selectFrom('login_windows')
      .selectAll()
      .where('purpose', '=', 'cross-app')
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(handle)
  })

  describe('refusals', () => {
    test.each([
      ['on another origin', () => `https://evil.example/oauth/transact/${harbour.appId}#${handle}`],
      ['on another port', () => transactUrl(harbour, 'http://harbour.localhost:1')],
      ['on another provider', () => transactUrl(quay)],
      ['of another app there', () => `${harbour.origin}/oauth/transact/${quay.appId}#${handle}`],
      ['on another path', () => `${harbour.origin}/oauth/other/${harbour.appId}#${handle}`],
      ['below that path', () => `${harbour.origin}/oauth/transact/${harbour.appId}/x#${handle}`],
      ['with a way out of it', () => `${harbour.origin}/oauth/transact/${harbour.appId}/../../x#${handle}`],
      ['with a query', () => `${harbour.origin}/oauth/transact/${harbour.appId}?next=x#${handle}`],
      ['without a handle', () => `${harbour.origin}/oauth/transact/${harbour.appId}`],
      ['with a handle that is none', () => `${harbour.origin}/oauth/transact/${harbour.appId}#<script>`],
      ['with a name in it', () => transactUrl(harbour, harbour.origin.replace('//', '//user@'))],
      ['that is a script', () => `javascript:alert(1)//${harbour.appId}#${handle}`],
      ['that is no address', () => 'none'],
    ])('refuses an address %s', async (_, address) => {
      const made = newHandle()
      expect(await open({ transact_url: address() }, made)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'transact_url' } },
      })
      expect((await browserWindow(fixture.server).start('cross-app', made)).location).toBeNull()
    })

    // spec W8.31
    test('refuses a provider without a connected wallet, an unregistered one and one of another app', async () => {
      expect(await open({ provider: quay.provider, transact_url: transactUrl(quay) })).toMatchObject(
        notConnected,
      )
      expect(await open({ provider: `latchkey:${'x'.repeat(25)}` })).toMatchObject(notConnected)
      const ben = await fixture.browser.login('ben@example.com')
      expect(await open({}, newHandle(), fixture.browser, ben.token)).toMatchObject(notConnected)
      const other = fixture.newBrowser(await fixture.newApp())
      const session = await other.login()
      expect(await open({}, newHandle(), other, session.token)).toMatchObject(notConnected)
    })

    test('refuses a provider with read-only wallets', async () => {
      await fixture.operator('remove', harbour.appId)
      await fixture.operator('add', harbour.issuer, '--read-only')
      expect(await open()).toMatchObject(notConnected)
    })

    test('refuses another user’s handle, and keeps its destination', async () => {
      const made = newHandle()
      await open({}, made)
      const from = fixture.newBrowser()
      const second = await loggedIn(harbour, from)
      const other = `${harbour.origin}/oauth/transact/${harbour.appId}#${'o'.repeat(43)}`
      expect(await open({ transact_url: other }, made, from, second.token)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'relay' } },
      })
      expect(await browserWindow(fixture.server).start('cross-app', made)).toMatchObject({
        location: transactUrl(),
      })
    })

    test('refuses callers without a session', async () => {
      const { relay } = newHandle()
      const body = { relay, provider: harbour.provider, transact_url: transactUrl() }
      expect(await fixture.browser.call('openCrossAppWindow', { body })).toMatchObject({
        status: 401,
        answer: { code: 'must_be_authenticated' },
      })
    })

    test('refuses an unlisted origin', async () => {
      const made = newHandle()
      const relay = { ...made.relay, origin: 'https://evil.example' }
      expect(await open({ relay }, made)).toMatchObject({
        status: 403,
        answer: { code: 'invalid_origin' },
      })
    })
  })
})
