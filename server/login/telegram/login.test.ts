/** Login by Telegram over HTTP, with data signed by the sandbox's Telegram. */

import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeAllowlist } from '../../identity/apps/manage.ts'
import { sessionAnswer, testBrowser } from '../../identity/sessions/testing/browser.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp } from '../../testing/context.ts'
import { telegram as capability } from './capability.ts'
import {
  linkingOn,
  refused,
  startTelegram,
  type TelegramFixture,
  telegramFixture,
} from './testing/fixture.ts'

const telegram = await startTelegram()

forEachEngine((database) => {
  let context: TelegramFixture['context']
  let app: TelegramFixture['app']
  let server: TelegramFixture['server']
  let browser: TelegramFixture['browser']
  let newBrowser: TelegramFixture['newBrowser']
  let set: TelegramFixture['set']
  let authenticate: TelegramFixture['authenticate']
  let login: TelegramFixture['login']
  let audited: TelegramFixture['audited']
  beforeEach(async () => {
    const fixture = await telegramFixture(database(), telegram)
    ;({ context, app, server, browser, newBrowser, set, authenticate, login, audited } = fixture)
  })
  const countOf = async (table: 'users' | 'linked_accounts' | 'sessions') =>
    (await context.db.selectFrom(table).selectAll().execute()).length

  // spec L1.7, L3.3, L7.32
  test('creates a user at the first login and finds the user again', async () => {
    const first = await login({ person: 'Ada Lovelace' })
    expect(first).toMatchObject({
      status: 200,
      answer: {
        is_new_user: true,
        user: {
          linked_accounts: [
            {
              type: 'telegram',
              telegram_user_id: expect.stringMatching(/^\d+$/),
              first_name: 'Ada',
              last_name: 'Lovelace',
              username: 'ada_lovelace',
              photo_url: 'https://t.me/i/userpic/320/ada_lovelace.jpg',
            },
          ],
        },
      },
    })
    const again = await login({ person: 'Ada Lovelace' }, newBrowser())
    expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
    expect(v.parse(sessionAnswer, again.answer).user.id).toBe(v.parse(sessionAnswer, first.answer).user.id)
  })

  test('audits a login with its method', async () => {
    const { user } = v.parse(sessionAnswer, (await login({ person: 'Cleo' })).answer)
    expect(await audited('session.started')).toEqual([{ userId: user.id, details: { method: 'telegram' } }])
  })

  test('data of a Mini App belongs to the same user', async () => {
    const { user } = v.parse(sessionAnswer, (await login({ person: 'Cleo' })).answer)
    const answer = await authenticate({ telegram_web_app_data: await telegram.webApp({ person: 'Cleo' }) })
    expect(answer).toMatchObject({ status: 200, answer: { is_new_user: false, user: { id: user.id } } })
  })

  // spec L7.26
  describe('the signed data', () => {
    test.each(['login', 'webApp'] as const)(
      'is accepted once, even by concurrent calls (%s)',
      async (form) => {
        const field = form === 'login' ? 'telegram_auth_result' : 'telegram_web_app_data'
        const body = { [field]: await telegram[form]() }
        const answers = await Promise.all([1, 2, 3, 4].map(() => authenticate(body, newBrowser())))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
        expect(answers.filter(({ status }) => status === 422)).toMatchObject(
          [1, 2, 3].map(() => refused('used')),
        )
        expect(await countOf('sessions')).toBe(1)
      },
    )

    test('is accepted once across all apps of its bot', async () => {
      const other = await testApp(context)
      await set(
        [
          ['telegram_auth', true],
          ['telegram_auth_config', linkingOn],
        ],
        other.id,
      )
      const body = { telegram_auth_result: await telegram.login() }
      expect(await authenticate(body)).toMatchObject({ status: 200 })
      expect(await authenticate(body, testBrowser(server, context, other))).toMatchObject(refused('used'))
    })

    test('is not consumed again by a repeated call', async () => {
      const body = { telegram_auth_result: await telegram.login() }
      const first = await authenticate(body, browser, 'the-same-call')
      expect(first).toMatchObject({ status: 200 })
      expect(await authenticate(body, browser, 'the-same-call')).toMatchObject({
        status: 200,
        answer: { user: { id: v.parse(sessionAnswer, first.answer).user.id } },
      })
      expect(await countOf('sessions')).toBe(1)
    })

    test.each([
      ['old', 'auth_date'],
      ['forged', 'hash'],
    ] as const)('and is %s is refused, and makes nobody', async (way, reason) => {
      expect(await login({ way })).toMatchObject(refused(reason))
      expect(await authenticate({ telegram_web_app_data: await telegram.webApp({ way }) })).toMatchObject(
        refused(reason),
      )
      expect(await countOf('users')).toBe(0)
    })

    test('is remembered until it expires', async () => {
      const body = { telegram_auth_result: await telegram.login() }
      await authenticate(body)
      const used = () =>
        context.db
          .withTables<{ telegram_used: { hash: string } }>()
          .selectFrom('telegram_used')
          .selectAll()
          .execute()
      context.clock.advanceSeconds(240)
      await cleanUp(database(), context.clock, collectExpiryRules([capability]))
      expect(await used()).toHaveLength(1)
      expect(await authenticate(body)).toMatchObject(refused('used'))
      // The last second of its validity, had it not been used.
      const lastSecond = Number(body.telegram_auth_result.auth_date) + 300
      context.clock.advanceSeconds(lastSecond - context.clock.nowMs() / 1_000)
      await cleanUp(database(), context.clock, collectExpiryRules([capability]))
      expect(await authenticate(body)).toMatchObject(refused('used'))
      context.clock.advanceSeconds(31)
      await cleanUp(database(), context.clock, collectExpiryRules([capability]))
      expect(await used()).toEqual([])
      expect(await authenticate(body)).toMatchObject(refused('auth_date'))
    })

    test('must be of one of both forms', async () => {
      const [signed, data] = [await telegram.login(), await telegram.webApp()]
      const invalid = { status: 422, answer: { code: 'invalid_data' } }
      expect(await authenticate({})).toMatchObject(invalid)
      expect(await authenticate({ telegram_auth_result: signed, telegram_web_app_data: data })).toMatchObject(
        invalid,
      )
      expect(await authenticate({ telegram_auth_result: signed })).toMatchObject({ status: 200 })
    })
  })

  describe('refusals', () => {
    const notAllowed = (setting?: string) => ({
      status: 403,
      answer: { code: 'disallowed_login_method', ...(setting !== undefined && { details: { setting } }) },
    })

    test('refuses a login if the app has Telegram disabled', async () => {
      await set([['telegram_auth', false]])
      expect(await login()).toMatchObject(notAllowed())
    })

    // spec L3.12
    test('refuses a login if the app has no bot, or the server no token for it', async () => {
      await set([['telegram_auth_config', null]])
      expect(await login()).toMatchObject(notAllowed('telegram_auth_config'))
      await set([['telegram_auth_config', { ...linkingOn, bot_id: '7000000002' }]])
      expect(await login()).toMatchObject(notAllowed('TELEGRAM_BOTS'))
    })

    // spec L3.25
    test('refuses Mini App data if that is disabled', async () => {
      await set([['telegram_auth_config.seamless_auth_enabled', false]])
      expect(await authenticate({ telegram_web_app_data: await telegram.webApp() })).toMatchObject(
        notAllowed('telegram_auth_config.seamless_auth_enabled'),
      )
      expect(await login()).toMatchObject({ status: 200 })
    })

    test('refuses users who are not on the allowlist', async () => {
      await set([['allowlist_enabled', true]])
      expect(await login()).toMatchObject({ status: 401, answer: { code: 'allowlist_rejected' } })
      expect(await countOf('users')).toBe(0)
    })

    // spec L6.3
    test('allows only Telegram ids on the allowlist', async () => {
      await set([['allowlist_enabled', false]])
      await login({ person: 'Ada Lovelace' })
      const { identifier } = await context.db
        .selectFrom('linked_accounts')
        .select('identifier')
        .executeTakeFirstOrThrow()
      await context.db.deleteFrom('linked_accounts').execute()
      await set([['allowlist_enabled', true]])
      await changeAllowlist(context.db, app.id, 'add', 'telegram', identifier)
      expect(await login({ person: 'Ben' })).toMatchObject({ status: 401 })
      expect(await login({ person: 'Ada Lovelace' })).toMatchObject({ status: 200 })
    })
  })

  test('the app config contains the bot’s id, never its token', async () => {
    const { answer } = await browser.call('appConfig')
    expect(answer).toMatchObject({ telegram_auth: true, telegram_auth_config: linkingOn })
    expect(JSON.stringify(answer)).not.toContain('sandbox-token')
    expect(app.config.telegramAuthConfig).toBeNull()
  })
})
