/** Passkey ceremonies in a separate window, and who receives the response. */

import { beforeEach, describe, expect, test } from 'vitest'
import { collectExpiryRules } from '../../../kernel/capability.ts'
import { cleanUp } from '../../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { countStatements } from '../../../testing/count-statements.ts'
import { immediateWaits } from '../../../testing/waits.ts'
import { loginWindow } from '../../window/capability.ts'
import { browserWindow, newHandle } from '../../window/testing/browser-window.ts'
import { testPasskey } from '../testing/authenticator.ts'
import { type PasskeyFixture, passkeyFixture, refused } from '../testing/fixture.ts'
import { awaitedStatus } from './window.ts'

const newRelay = () => {
  const made = newHandle()
  return { ...made, key: { handle: made.handle, secret: made.relaySecret } }
}
type Made = ReturnType<typeof newRelay>
const asking = {
  type: 'get',
  options: { challenge: 'bG9naW4', rp_id: 'dialog.localhost', allow_credentials: [], timeout: 300_000 },
}
const making = {
  type: 'create',
  options: {
    rp: { name: 'Demo', id: 'dialog.localhost' },
    user: { id: 'dXNlcg', name: 'Ada', display_name: 'Ada' },
    challenge: 'bGluaw',
    pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
  },
}
const gone = { status: 404, answer: { code: 'not_found' } }

forEachEngine((database) => {
  let fixture: PasskeyFixture
  let browser: PasskeyFixture['browser']
  /** A ceremony in a top-level page. */
  let atTop: (challenge: string) => ReturnType<PasskeyFixture['inFrame']>
  beforeEach(async () => {
    fixture = await passkeyFixture(database())
    ;({ browser } = fixture)
    atTop = (challenge) => ({
      challenge,
      origin: 'http://dialog.localhost:4000',
      crossOrigin: false,
      rpId: 'dialog.localhost',
    })
  })

  const begin = (relay: object, ceremony: object = asking, from = browser) =>
    from.call('beginPasskeyWindow', { body: { ceremony, relay } })
  /** The ceremony page in the opened window, identified by its start cookie. */
  const openPage = async (made: Made) => {
    const window = browserWindow(fixture.server)
    const { location } = await window.start('passkey', made)
    expect(location).toBe(`/apps/${fixture.app.id}/passkey/${made.handle}`)
    const cookie = Array.from(window.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    return { cookie, page: pageWith(made.handle, { cookie }) }
  }
  const pageWith = (handle: string, headers: Readonly<Record<string, string>>) => {
    const page = fixture.newBrowser()
    return {
      read: () => page.call('readPasskeyCeremony', { body: { handle }, headers }),
      tell: (answer: object) => page.call('answerPasskeyCeremony', { body: { handle, answer }, headers }),
    }
  }
  const begun = async (made: Made = newRelay(), ceremony: object = asking, more: object = {}) => {
    expect(await begin({ ...made.relay, ...more }, ceremony)).toMatchObject({ status: 200 })
    return { ...made, ...(await openPage(made)) }
  }
  const refusal = { type: 'refused' }
  const someAnswer = (challenge = 'bG9naW4') => ({
    type: 'get',
    assertion: testPasskey().answer(atTop(challenge), 'dXNlcg'),
  })

  describe('a passkey ceremony in a separate window', () => {
    test('logs the user in as from the frame', async () => {
      const own = testPasskey()
      const { user } = await fixture.userWith(own)
      const challenge = await fixture.challengeFor()
      const ceremony = { ...asking, options: { ...asking.options, challenge } }
      const origin = 'http://demo.localhost:4010'
      const { key, page } = await begun(newRelay(), ceremony, { origin })
      expect(await page.read()).toMatchObject({ status: 200, answer: { status: 'open', ceremony, origin } })
      const assertion = own.answer(atTop(challenge))
      expect(await page.tell({ type: 'get', assertion })).toMatchObject({ status: 200 })
      expect(await browser.call('passkeyWindowStatus', { body: key })).toMatchObject({
        answer: { status: 'answered' },
      })
      const { answer } = await browser.call('takePasskeyAnswer', { body: key })
      expect(answer).toEqual({ type: 'get', assertion })
      const body = { relying_party: 'dialog.localhost', challenge, authenticator_response: assertion }
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject({
        status: 200,
        answer: { user: { id: user.id } },
      })
    })

    test('links a passkey as from the frame', async () => {
      const { token } = await browser.login()
      const { challenge, user } = await fixture.linkOptionsFor(token)
      const ceremony = { ...making, options: { ...making.options, challenge } }
      const { key, page } = await begun(newRelay(), ceremony)
      const own = testPasskey()
      await page.tell({ type: 'create', attestation: own.make(user.id, atTop(challenge)) })
      const { answer } = await browser.call('takePasskeyAnswer', { body: key })
      const { attestation } = answer as { attestation: unknown }
      const body = { relying_party: 'dialog.localhost', authenticator_response: attestation }
      expect(await browser.call('linkPasskey', { token, body })).toMatchObject({ status: 200 })
      expect(await fixture.login(own)).toMatchObject({ status: 200 })
    })

    // The counterpart of the previous tests: a top-level page has no embedding page.
    test('rejects a response with an embedding page', async () => {
      const own = testPasskey()
      await fixture.userWith(own)
      const challenge = await fixture.challengeFor()
      const misplaced = { ...atTop(challenge), topOrigin: 'http://demo.localhost:4010' }
      const body = {
        relying_party: 'dialog.localhost',
        challenge,
        authenticator_response: own.answer(misplaced),
      }
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject(refused('top_origin'))
      const next = await fixture.challengeFor()
      const other = { ...atTop(next), origin: 'http://demo.localhost:4010' }
      const elsewhere = { ...body, challenge: next, authenticator_response: own.answer(other) }
      expect(await browser.call('loginWithPasskey', { body: elsewhere })).toMatchObject(refused('origin'))
    })
  })

  describe('the response', () => {
    test('is returned once, even to concurrent calls, and again to the same call', async () => {
      const { key, page } = await begun()
      await page.tell(someAnswer())
      const taken = await Promise.all(
        ['first', 'second', 'third'].map((requestId) =>
          browser.call('takePasskeyAnswer', { body: key, requestId: requestId.padEnd(16, '-') }),
        ),
      )
      expect(taken.map(({ status }) => status).sort()).toEqual([200, 404, 404])
      const first = taken.findIndex(({ status }) => status === 200)
      const again = await browser.call('takePasskeyAnswer', {
        body: key,
        requestId: (['first', 'second', 'third'][first] ?? '').padEnd(16, '-'),
      })
      expect(again).toMatchObject({ status: 200, answer: taken[first]?.answer })
      expect(await browser.call('passkeyWindowStatus', { body: key })).toMatchObject(gone)
      expect(await browser.call('takePasskeyAnswer', { body: key })).toMatchObject(gone)
    })

    test('is returned only with the secret, in the same browser and app', async () => {
      const { key, page } = await begun()
      await page.tell(refusal)
      const stranger = fixture.newBrowser()
      const elsewhere = fixture.newBrowser(await fixture.newApp())
      const guessed = { ...key, secret: newRelay().key.secret }
      for (const name of ['passkeyWindowStatus', 'takePasskeyAnswer'] as const) {
        expect(await browser.call(name, { body: guessed })).toMatchObject(gone)
        expect(await stranger.call(name, { body: key })).toMatchObject(gone)
        expect(await elsewhere.call(name, { body: key })).toMatchObject(gone)
      }
      expect(await browser.call('takePasskeyAnswer', { body: key })).toMatchObject({
        status: 200,
        answer: { type: 'refused' },
      })
    })

    test('is awaited, and can not be taken before', async () => {
      const { relay, key } = newRelay()
      await begin(relay)
      const { app, context } = fixture
      const binding = 'a-binding-of-this-browser'
      const own = newRelay()
      await browser.call('beginPasskeyWindow', {
        body: { ceremony: asking, relay: own.relay },
        headers: { 'latchkey-login-binding': binding },
      })
      expect(await awaitedStatus(context, { app, binding }, own.key, immediateWaits)).toEqual({
        status: 'pending',
      })
      expect(await browser.call('takePasskeyAnswer', { body: key })).toMatchObject(gone)
    })

    test('is awaited by a hundred calls with 21 database reads in total', async () => {
      const { app } = fixture
      const { context, statements } = countStatements(fixture.context)
      const binding = 'a-binding-of-this-browser'
      const made = Array.from({ length: 100 }, newRelay)
      for (const { relay } of made) {
        const body = { ceremony: asking, relay }
        await browser.call('beginPasskeyWindow', { body, headers: { 'latchkey-login-binding': binding } })
      }
      const status = ({ key }: Made) => awaitedStatus(context, { app, binding }, key, immediateWaits)
      expect(new Set((await Promise.all(made.map(status))).map((said) => said.status))).toEqual(
        new Set(['pending']),
      )
      expect(statements()).toBe(21)
    })

    test('must be the first one and of the requested type', async () => {
      const { key, page } = await begun()
      const made = { type: 'create', attestation: testPasskey().make('dXNlcg', atTop('bG9naW4')) }
      expect(await page.tell(made)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'answer.type' } },
      })
      expect(await page.tell(someAnswer())).toMatchObject({ status: 200 })
      expect(await page.tell(refusal)).toMatchObject(gone)
      expect(await page.read()).toMatchObject({ answer: { status: 'answered' } })
      expect(await browser.call('takePasskeyAnswer', { body: key })).toMatchObject({
        answer: { type: 'get' },
      })
    })

    test('is limited to 64 KiB', async () => {
      const { page } = await begun()
      const { assertion } = someAnswer()
      const long = (letters: number) => ({
        type: 'get',
        assertion: {
          ...assertion,
          response: {
            ...assertion.response,
            authenticator_data: 'a'.repeat(letters),
            signature: 'a'.repeat(letters),
          },
        },
      })
      expect((await page.tell(long(32_768))).status).toBe(413)
      expect(await page.tell(long(32_000))).toMatchObject({ status: 200 })
    })

    test('is stored once of several concurrent ones', async () => {
      const { page } = await begun()
      const told = await Promise.all([refusal, refusal, refusal].map((answer) => page.tell(answer)))
      expect(told.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    })

    test('contains only the authenticator’s signed data', async () => {
      const { key, page } = await begun()
      const { assertion } = someAnswer()
      const withSecret = {
        ...assertion,
        client_extension_results: { prf: { results: { first: 'c2VjcmV0' } } },
      }
      expect(await page.tell({ type: 'get', assertion: withSecret })).toMatchObject({ status: 200 })
      expect(await browser.call('takePasskeyAnswer', { body: key })).toMatchObject({
        answer: { assertion: { client_extension_results: {} } },
      })
      expect(JSON.stringify((await browser.call('takePasskeyAnswer', { body: key })).answer)).not.toContain(
        'c2VjcmV0',
      )
    })

    test('is stored sealed, under a key other than the handle', async () => {
      const { page, handle } = await begun()
      const { assertion } = someAnswer()
      await page.tell({ type: 'get', assertion })
      const rows = await fixture.context.db
        .withTables<{ login_windows: Record<string, unknown> }>()
        .selectFrom('login_windows')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
      const kept = JSON.stringify(rows)
      expect(kept).not.toContain(handle)
      expect(kept).not.toContain(assertion.id)
    })
  })

  describe('a handle', () => {
    test('is used once', async () => {
      const { relay } = newRelay()
      expect(await begin(relay)).toMatchObject({ status: 200 })
      expect(await begin(relay)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'relay' } },
      })
    })

    // A page with a foreign handle would show a request that is not the user's.
    test('is valid only in the browser that created it', async () => {
      const { handle, page } = await begun()
      const other = await begun()
      for (const stranger of [pageWith(handle, {}), pageWith(handle, { cookie: other.cookie })]) {
        expect(await stranger.read()).toMatchObject(gone)
        expect(await stranger.tell(refusal)).toMatchObject(gone)
      }
      expect(await page.read()).toMatchObject({ status: 200 })
      expect(await page.tell(refusal)).toMatchObject({ status: 200 })
    })

    test('accepts no response after the dialog closed it, and only the dialog can close it', async () => {
      const { page, key } = await begun()
      const close = (from = browser, body = key) => from.call('closePasskeyWindow', { body })
      expect(await close(fixture.newBrowser())).toMatchObject(gone)
      expect(await close(browser, { ...key, secret: newRelay().key.secret })).toMatchObject(gone)
      expect(await page.read()).toMatchObject({ status: 200 })
      expect(await close()).toMatchObject({ status: 200 })
      expect(await page.tell(refusal)).toMatchObject(gone)
      expect(await close()).toMatchObject(gone)
    })

    test('expires after five minutes, and is valid in its app only', async () => {
      const { key, page, handle, cookie } = await begun()
      const { context } = fixture
      const elsewhere = fixture.newBrowser(await fixture.newApp())
      const there = { body: { handle }, headers: { cookie } }
      expect(await elsewhere.call('readPasskeyCeremony', there)).toMatchObject(gone)
      context.clock.advanceSeconds(294)
      expect(await page.read()).toMatchObject({ status: 200 })
      context.clock.advanceSeconds(1)
      expect(await page.read()).toMatchObject(gone)
      expect(await page.tell(refusal)).toMatchObject(gone)
      expect(await browser.call('passkeyWindowStatus', { body: key })).toMatchObject(gone)
      const rows = () =>
        context.db
          .withTables<{ login_windows: { id: string } }>()
          .selectFrom('login_windows')
          .select('id')
          .execute()
      expect(await rows()).toHaveLength(1)
      await cleanUp(database(), context.clock, collectExpiryRules([loginWindow]))
      expect(await rows()).toEqual([])
    })

    test('is refused if the app has passkeys disabled', async () => {
      await fixture.set([['passkey_auth', false]])
      expect(await begin(newRelay().relay)).toMatchObject({
        status: 403,
        answer: { code: 'disallowed_login_method' },
      })
    })

    test('accepts five passkeys with the longest names, and at most 16 KiB', async () => {
      const credentials = (count: number) => ({
        ...asking,
        options: {
          ...asking.options,
          allow_credentials: Array.from({ length: count }, () => ({
            id: 'a'.repeat(1_364),
            type: 'public-key',
          })),
        },
      })
      expect(await begin(newRelay().relay, credentials(5))).toMatchObject({ status: 200 })
      expect((await begin(newRelay().relay, credentials(12))).status).toBe(413)
    })
  })
})
