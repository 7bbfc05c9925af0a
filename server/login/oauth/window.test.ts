/** The window that goes to a provider and comes back, and what of it is told to whom. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { cleanUp } from '../../db/cleanup.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import { testApp } from '../../testing/context.ts'
import { unseal } from '../window/window.ts'
import { oauth } from './capability.ts'
import { awaitedFlow } from './oauth.ts'
import type { SocialProvider } from './provider.ts'
import { consentAt } from './testing/at-sandbox.ts'
import { startProviders } from './testing/sandbox.ts'
import { testWindow } from './testing/window.ts'
import {
  ada,
  initBody,
  newLogin,
  type OAuthWorld,
  oauthTables,
  oauthWorld,
  secret,
  startAnswer,
} from './testing/world.ts'

const sandbox = await startProviders()

forEachEngine((database) => {
  let context: OAuthWorld['context']
  let server: OAuthWorld['server']
  let browser: OAuthWorld['browser']
  let newBrowser: OAuthWorld['newBrowser']
  let init: OAuthWorld['init']
  let resultFor: OAuthWorld['resultFor']
  beforeEach(async () => {
    ;({ context, server, browser, newBrowser, init, resultFor } = await oauthWorld(database(), sandbox))
  })

  describe('the start page', () => {
    test.each(['cross-site', 'same-site', 'none'])('is not opened from %s', async (site) => {
      const login = newLogin()
      await init(login)
      const window = testWindow(server)
      expect(await window.start(login.handle, site)).toMatchObject({ status: 403, location: null })
      expect(window.cookies.size).toBe(0)
      expect(await window.start(login.handle)).toMatchObject({ status: 303 })
    })

    test('sends one browser to the provider, once', async () => {
      const login = newLogin()
      await init(login)
      const [first, second] = await Promise.all([
        testWindow(server).start(login.handle),
        testWindow(server).start(login.handle),
      ])
      expect([first.status, second.status].sort()).toEqual([303, 400])
    })

    test('gives its browser a cookie that comes back with a form of another site', async () => {
      const login = newLogin()
      await init(login)
      const { headers } = await testWindow(server).start(login.handle)
      expect(headers.get('set-cookie')).toMatch(
        /^__Host-latchkey-oauth-[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
      )
    })

    test('of what is no handle says that nothing began, and waits for nobody', async () => {
      for (const handle of ['%00', `${'a'.repeat(43)}%00`, 'a'.repeat(42)]) {
        expect(await testWindow(server).start(handle)).toMatchObject({
          status: 404,
          html: expect.stringContaining('This login did not start'),
        })
      }
    })

    test('waits no longer than it may for a login that nobody begins', async () => {
      expect(await awaitedFlow(context, secret(), 50)).toBeUndefined()
    })

    test('after ten minutes is over', async () => {
      const login = newLogin()
      await init(login)
      context.clock.advanceSeconds(600)
      expect(await awaitedFlow(context, login.handle, 0)).toBeUndefined()
    })
  })

  describe('the callback', () => {
    const wayBack = async (window: ReturnType<typeof testWindow>, provider: SocialProvider = 'google') => {
      const login = newLogin()
      await init(login, provider)
      const { location } = await window.start(login.handle)
      return { login, back: await consentAt(location ?? '', ada) }
    }

    test.each(['google', 'apple'] as const)(
      'of %s is for the browser that was sent there',
      async (provider) => {
        const window = testWindow(server)
        const { login, back } = await wayBack(window, provider)
        expect(await testWindow(server).comeBack(back)).toMatchObject({ status: 403 })
        const other = testWindow(server)
        await wayBack(other, provider)
        expect(await other.comeBack(back)).toMatchObject({ status: 403 })
        const [name = ''] = window.cookies.keys()
        other.cookies.set(name, [...other.cookies.values()].join(''))
        expect(await other.comeBack(back)).toMatchObject({ status: 403 })
        expect(await window.comeBack(back)).toMatchObject({ status: 200 })
        expect(await resultFor(login)).toMatchObject({ answer: { status: 'completed' } })
      },
    )

    // spec L5.21
    test('with a state that is none of ours is a phishing attempt', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const { state = '' } = back.fields
      const others = [`${state}x`, state.split('.')[0] ?? '', `${secret()}.${state.split('.')[1]}`, '']
      for (const other of others) {
        expect(await window.comeBack({ ...back, fields: { ...back.fields, state: other } })).toMatchObject({
          status: 400,
          html: expect.stringContaining('Unexpected auth flow. This may be a phishing attempt.'),
        })
      }
      expect(await window.comeBack(back)).toMatchObject({ status: 200 })
    })

    test('of another provider is a phishing attempt', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const elsewhere = { ...back, url: back.url.replace('google', 'github') }
      expect(await window.comeBack(elsewhere)).toMatchObject({ status: 400 })
      const nowhere = { ...back, url: back.url.replace('google', 'nobody') }
      expect(await window.comeBack(nowhere)).toMatchObject({ status: 400 })
    })

    test('is of one login, and says nothing to another that is under way', async () => {
      const window = testWindow(server)
      const [one, other] = [newLogin(), newLogin()]
      await init(one)
      await init(other)
      const ways = []
      for (const { handle } of [one, other]) {
        const { status, location } = await window.start(handle)
        expect(status).toBe(303)
        ways.push(await consentAt(location ?? '', ada))
      }
      for (const back of ways) expect(await window.comeBack(back)).toMatchObject({ status: 200 })
      for (const login of [one, other]) {
        expect(await resultFor(login)).toMatchObject({
          answer: { status: 'completed', authorization_code: expect.stringContaining(`${login.handle}.`) },
        })
      }
    })

    test('counts once, and drops its cookie', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      const cookies = new Map(window.cookies)
      expect(await window.comeBack(back)).toMatchObject({ status: 200 })
      expect(window.cookies.size).toBe(0)
      for (const [name, value] of cookies) window.cookies.set(name, value)
      expect(await window.comeBack(back)).toMatchObject({
        status: 400,
        html: expect.stringContaining('This login is over'),
      })
    })

    test('after ten minutes is over', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      context.clock.advanceSeconds(600)
      expect(await window.comeBack(back)).toMatchObject({ status: 400 })
    })

    /** Back with these pairs beside those of the provider, and what is kept of them all. */
    const keptOf = async (
      provider: SocialProvider,
      change: (pairs: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[],
    ) => {
      const window = testWindow(server)
      const { login, back } = await wayBack(window, provider)
      const { pathname } = new URL(back.url)
      const changed = new URLSearchParams(change(Object.entries(back.fields)).map(([...pair]) => pair))
      const answer =
        back.method === 'GET'
          ? await window.open(`${pathname}?${changed}`)
          : await window.open(pathname, {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: changed.toString(),
            })
      const row = await context.db
        .withTables<{ oauth_flows: { handle: string; answer: string | null } }>()
        .selectFrom('oauth_flows')
        .select('answer')
        .where('handle', '=', login.handle)
        .executeTakeFirstOrThrow()
      const kept = row.answer === null ? null : unseal(context, login.handle, 'answer', row.answer)
      return {
        status: answer.status,
        kept: kept === null ? null : [...new URLSearchParams(kept)],
        sent: back.fields,
      }
    }
    const ways = [
      ['google', 'GET'],
      ['apple', 'POST'],
    ] as const

    test.each(ways)(
      'of %s by %s keeps the code and its state, and nothing else that came',
      async (provider) => {
        const { status, kept, sent } = await keptOf(provider, (pairs) => [
          ...pairs,
          ['user', '{"name":{"firstName":"Ada"}}'],
          ['scope', 'openid email'],
          ['codes', 'x'.repeat(1_000)],
        ])
        expect(status).toBe(200)
        const names = kept?.map(([name]) => name).sort() ?? []
        expect(names.filter((name) => name !== 'iss')).toEqual(['code', 'state'])
        expect(kept).toContainEqual(['code', sent.code])
        expect(kept).toContainEqual(['state', sent.state])
      },
    )

    // Of a query the first of the two is read, of a form the last.
    test.each(ways)('of %s by %s reads a field that came twice once', async (provider, method) => {
      const twice = (name: string) => (pairs: readonly (readonly [string, string])[]) =>
        method === 'GET' ? [[name, 'other'] as const, ...pairs] : [...pairs, [name, 'other'] as const]
      const ofCode = await keptOf(provider, twice('code'))
      expect(ofCode.kept?.filter(([name]) => name === 'code')).toEqual([['code', 'other']])
      expect(await keptOf(provider, twice('state'))).toMatchObject({ status: 400, kept: null })
    })

    test('keeps what the provider said sealed', async () => {
      const window = testWindow(server)
      const { back } = await wayBack(window)
      await window.comeBack(back)
      const [row] = await context.db
        .withTables<{ oauth_flows: Record<string, unknown> }>()
        .selectFrom('oauth_flows')
        .selectAll()
        .execute()
      expect(JSON.stringify(row)).not.toContain(back.fields.code)
    })
  })

  describe('the result', () => {
    test('is for whoever has the secret, in the browser that began, in the same app', async () => {
      const login = newLogin()
      await init(login)
      await testWindow(server).go(login.handle, ada)
      const nothing = { status: 404, answer: { code: 'not_found' } }
      expect(await resultFor({ ...login, relaySecret: secret() })).toMatchObject(nothing)
      expect(await resultFor({ ...login, handle: secret() })).toMatchObject(nothing)
      expect(await resultFor(login, newBrowser())).toMatchObject(nothing)
      const otherApp = await testApp(context)
      expect(
        await browser.call('oauthResult', {
          body: { handle: login.handle, secret: login.relaySecret },
          headers: { 'latchkey-app-id': otherApp.id },
        }),
      ).toMatchObject(nothing)
      expect(await resultFor(login)).toMatchObject({ status: 200 })
    })

    test('of a login without a relay is for nobody', async () => {
      const login = newLogin()
      const { relay: _, ...body } = initBody(login)
      const { answer } = await browser.call('startOAuth', { body })
      const handle = v.parse(startAnswer, answer).url.split('/').at(-1) ?? ''
      expect(await resultFor({ ...login, handle })).toMatchObject({ status: 404 })
    })

    test('of a handle that was used is not overwritten', async () => {
      const login = newLogin()
      await init(login)
      const other = { ...newLogin(), handle: login.handle }
      expect(await init(other, 'google', newBrowser())).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
    })
  })

  test('what is over is cleaned up', async () => {
    const flows = () =>
      context.db
        .withTables<{ oauth_flows: { handle: string } }>()
        .selectFrom('oauth_flows')
        .select('handle')
        .execute()
    const login = newLogin()
    await init(login)
    context.clock.advanceSeconds(599)
    await cleanUp(database(), context.clock, oauth.expiries ?? [])
    expect(await flows()).toEqual([{ handle: login.handle }])
    context.clock.advanceSeconds(1)
    await cleanUp(database(), context.clock, oauth.expiries ?? [])
    expect(await flows()).toEqual([])
  })
}, oauthTables)
