/** The Telegram window: start page, return page, and who may read the result. */

import { beforeEach, describe, expect, test } from 'vitest'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { immediateWaits } from '../../testing/waits.ts'
import { loginWindow } from '../window/capability.ts'
import { newHandle } from '../window/testing/browser-window.ts'
import { windowId } from '../window/window.ts'
import { awaitedResult, beginWindow } from './telegram.ts'
import { startTelegram, type TelegramFixture, telegramFixture } from './testing/fixture.ts'
import { testWindow } from './testing/window.ts'

const telegram = await startTelegram()

forEachEngine((database) => {
  let fixture: TelegramFixture
  let init: TelegramFixture['init']
  let resultFor: TelegramFixture['resultFor']
  let window: ReturnType<typeof testWindow>
  beforeEach(async () => {
    fixture = await telegramFixture(database(), telegram)
    ;({ init, resultFor } = fixture)
    window = testWindow(fixture.server)
  })

  describe('the start page', () => {
    // spec L7.25
    test('redirects to Telegram for the app’s bot, by our own script', async () => {
      const login = newHandle()
      expect(await init(login)).toMatchObject({ status: 200, answer: { telegram_origin: telegram.url } })
      const { status, html, headers } = await window.start(login)
      expect(status).toBe(200)
      for (const attribute of [
        'src="/js/telegram-login.js"',
        'data-telegram-login="FieldnotesBot"',
        'data-bot-id="7000000001"',
        'data-request-access="write"',
        'data-lang="en"',
        `data-telegram-origin="${telegram.url}"`,
        `data-return-to="http://dialog.localhost:4000/telegram/return/${login.handle}"`,
      ]) {
        expect(html).toContain(attribute)
      }
      expect(headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(headers.getSetCookie()).toContainEqual(
        expect.stringMatching(
          /^__Host-latchkey-telegram-[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
      )
      const script = await window.open('/js/telegram-login.js')
      expect(script.headers.get('content-type')).toContain('text/javascript')
      expect(script.html).toContain('window.Telegram = { Login: { auth } }')
    })

    test('reports an invalid handle, like the return page', async () => {
      const result = await telegram.login()
      for (const handle of ['%00', `${'a'.repeat(43)}%00`, 'a'.repeat(42)]) {
        for (const opened of [window.page('telegram', handle), window.bring(handle, result)]) {
          expect(await opened).toMatchObject({
            status: 404,
            html: expect.stringContaining('This login did not start'),
          })
        }
      }
    })

    test('is valid for its own login only, like its answer', async () => {
      const [one, other] = [newHandle(), newHandle()]
      await init(one)
      await init(other)
      expect(await window.start(one)).toMatchObject({ status: 200 })
      expect(await window.start(other)).toMatchObject({ status: 200 })
      await window.bring(one.handle, await telegram.login())
      expect(await window.bring(other.handle, false)).toMatchObject({ status: 200 })
      expect(await resultFor(one)).toMatchObject({ answer: { status: 'completed' } })
      expect(await resultFor(other)).toMatchObject({ answer: { status: 'denied' } })
    })

    test('is refused if the app has Telegram disabled', async () => {
      await fixture.set([['telegram_auth', false]])
      expect(await init(newHandle())).toMatchObject({
        status: 403,
        answer: { code: 'disallowed_login_method' },
      })
    })
  })

  // Telegram's response is in the URL fragment, which only a script can read.
  test('the return page has a script that posts the fragment to the page itself', async () => {
    const { handle } = newHandle()
    const { status, html, headers } = await window.open(`/telegram/return/${handle}`)
    expect(status).toBe(200)
    expect(html).toContain('src="/js/telegram-login.js"')
    expect(html).toContain(`data-answer-to="/telegram/return/${handle}"`)
    expect(headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    )
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  })

  test('the window has its styles and the script that closes it', async () => {
    const styles = await window.open('/login/window.css')
    expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    const script = await window.open('/telegram/close.js')
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    expect(script.html).toContain('close()')
  })

  describe('the result', () => {
    const started = async (from = window) => {
      const login = newHandle()
      await init(login)
      await from.start(login)
      return login
    }

    test('is returned with the secret to the dialog, which logs in with it', async () => {
      const login = await started()
      expect(
        await window.bring(login.handle, await telegram.login({ person: 'Ada Lovelace' })),
      ).toMatchObject({
        status: 200,
        html: expect.stringMatching(/Telegram has answered.*src="\/telegram\/close\.js"/s),
      })
      const { answer } = await resultFor(login)
      expect(answer).toMatchObject({
        status: 'completed',
        telegram_auth_result: { first_name: 'Ada', username: 'ada_lovelace' },
      })
      const { telegram_auth_result } = answer as { telegram_auth_result: object }
      expect(await fixture.authenticate({ telegram_auth_result })).toMatchObject({ status: 200 })
    })

    test('is awaited up to the wait limit', async () => {
      const { relay, handle, relaySecret: secret } = newHandle()
      const { context } = fixture
      const app = await context.apps.find(fixture.app.id)
      if (!app) throw new Error('There is one')
      await context.transaction((trx) => beginWindow(trx, context, app, 'a browser', relay))
      const result = () => awaitedResult(context, app, 'a browser', { handle, secret }, immediateWaits)
      expect(await result()).toEqual({ status: 'pending' })
    })

    test('is awaited by a hundred calls with 21 database reads in total', async () => {
      const { context, statements } = countStatements(fixture.context)
      const app = await context.apps.find(fixture.app.id)
      if (!app) throw new Error('There is one')
      const made = Array.from({ length: 100 }, newHandle)
      for (const { relay } of made) {
        await context.transaction((trx) => beginWindow(trx, context, app, 'a browser', relay))
      }
      const before = statements()
      const result = ({ handle, relaySecret: secret }: ReturnType<typeof newHandle>) =>
        awaitedResult(context, app, 'a browser', { handle, secret }, immediateWaits)
      expect(await Promise.all(made.map(result))).toEqual(made.map(() => ({ status: 'pending' })))
      expect(statements() - before).toBe(21)
    })

    test('is `false` if the user declined', async () => {
      const login = await started()
      expect(await window.bring(login.handle, false)).toMatchObject({
        status: 200,
        html: expect.stringMatching(/Telegram was not connected.*src="\/telegram\/close\.js"/s),
      })
      expect(window.cookies.size).toBe(0)
      expect(await resultFor(login)).toMatchObject({ answer: { status: 'denied' } })
    })

    test('rejects data that Telegram would not send', async () => {
      const login = await started()
      for (const said of [true, null, 'yes', { id: 1 }, []]) {
        expect(await window.bring(login.handle, said)).toMatchObject({
          status: 400,
          html: expect.not.stringContaining('/telegram/close.js'),
        })
        expect((await window.bring(login.handle, said)).html).toContain('Unexpected auth flow')
      }
      expect(window.cookies.size).toBe(1)
      expect(await window.bring(login.handle, await telegram.login())).toMatchObject({ status: 200 })
    })

    test('is reported as ended after ten minutes or for an unknown login', async () => {
      const over = { status: 400, html: expect.stringContaining('This login has ended') }
      const login = await started()
      const result = await telegram.login()
      expect(await window.bring(newHandle().handle, result)).toMatchObject(over)
      fixture.context.clock.advanceSeconds(600)
      expect(await window.bring(login.handle, result)).toMatchObject(over)
    })

    // Otherwise a link to Telegram's page would log its sender in as the user who follows it.
    test('is accepted only in the browser that was sent there', async () => {
      const login = await started()
      const other = testWindow(fixture.server)
      await started(other)
      const result = await telegram.login()
      expect(await testWindow(fixture.server).bring(login.handle, result)).toMatchObject({ status: 403 })
      expect(await other.bring(login.handle, result)).toMatchObject({ status: 403 })
      const [name = ''] = window.cookies.keys()
      other.cookies.set(name, [...other.cookies.values()].join(''))
      expect(await other.bring(login.handle, result)).toMatchObject({ status: 403 })
      expect(await window.bring(login.handle, result, 'cross-site')).toMatchObject({ status: 403 })
      expect(await window.bring(login.handle, result)).toMatchObject({ status: 200 })
    })

    test('is accepted once, removes its cookie, and is stored sealed', async () => {
      const login = await started()
      const cookies = new Map(window.cookies)
      const result = await telegram.login({ person: 'Ada Lovelace' })
      expect(await window.bring(login.handle, result)).toMatchObject({ status: 200 })
      expect(window.cookies.size).toBe(0)
      for (const [name, value] of cookies) window.cookies.set(name, value)
      expect(await window.bring(login.handle, false)).toMatchObject({ status: 400 })
      const rows = await fixture.context.db
        .withTables<{ login_windows: Record<string, unknown> }>()
        .selectFrom('login_windows')
        .selectAll()
        .execute()
      expect(JSON.stringify(rows)).not.toContain(String(result.hash))
      expect(await resultFor(login)).toMatchObject({ answer: { status: 'completed' } })
    })

    test('is returned only with the secret, in the same browser', async () => {
      const login = await started()
      await window.bring(login.handle, await telegram.login())
      const nothing = { status: 404, answer: { code: 'not_found' } }
      expect(await resultFor({ ...login, relaySecret: newHandle().relaySecret })).toMatchObject(nothing)
      expect(await resultFor({ ...login, handle: newHandle().handle })).toMatchObject(nothing)
      expect(await resultFor(login, fixture.newBrowser())).toMatchObject(nothing)
      expect(await resultFor(login)).toMatchObject({ status: 200 })
    })

    test('is returned in the app that started, even in the same browser', async () => {
      const login = newHandle()
      const { relay, handle, relaySecret: secret } = login
      const headers = { 'latchkey-login-binding': 'one browser' }
      await fixture.browser.call('startTelegram', { headers, body: { relay } })
      const ask = { headers, body: { handle, secret } }
      await window.start(login)
      await window.bring(handle, await telegram.login())
      const elsewhere = fixture.newBrowser(await fixture.newApp())
      expect(await elsewhere.call('telegramResult', ask)).toMatchObject({ status: 404 })
      expect(await fixture.browser.call('telegramResult', ask)).toMatchObject({ status: 200 })
    })

    test('is not overwritten by a reused handle, and is deleted after its expiry', async () => {
      const login = await started()
      expect(await init(login, fixture.newBrowser())).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'relay' } },
      })
      const rows = () =>
        fixture.context.db
          .withTables<{ login_windows: { id: string } }>()
          .selectFrom('login_windows')
          .select('id')
          .execute()
      fixture.context.clock.advanceSeconds(599)
      await cleanUp(database(), fixture.context.clock, collectExpiryRules([loginWindow]))
      expect(await rows()).toEqual([{ id: windowId(login.handle) }])
      fixture.context.clock.advanceSeconds(1)
      await cleanUp(database(), fixture.context.clock, collectExpiryRules([loginWindow]))
      expect(await rows()).toEqual([])
    })
  })
})
