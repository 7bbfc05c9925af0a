import { createHash } from 'node:crypto'
import { type ClientConfig, type ErrorCode, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { RouteBody, TelegramResult, telegramRoutes } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import type { HostPage } from '../../browser/ports.ts'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, emptyPage, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { waitingCard, windowFacts } from '../../window-login/testing/window-login.facts.ts'
import { type FakeBrowser, makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilitiesIn } from './testing.ts'

const telegramOrigin = 'https://oauth.telegram.org'
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const account = { type: 'telegram' as const, telegramUserId: '42', username: 'ada', ...times }
const user: UserRecord = { ...visitorUser, linkedAccounts: [account] }
const bot = { botId: '7000000001', botName: 'FieldnotesBot', linkEnabled: true, seamlessAuthEnabled: false }
const app = { emailAuth: false, telegramAuth: true, telegramAuthConfig: bot }

/** As Telegram writes it, and as it stands in a call. */
const said = { id: 42, first_name: 'Ada', username: 'ada', auth_date: 1_565_810_688, hash: 'a'.repeat(64) }
const signed = { id: '42', firstName: 'Ada', username: 'ada', authDate: '1565810688', hash: 'a'.repeat(64) }
const message = (result: unknown) =>
  JSON.stringify({ event: 'auth_result', result, origin: 'http://dialog.localhost:4000' })

type More = {
  answers?: Answers
  hasCaptcha?: boolean
  app?: object
  config?: ClientConfig
  page?: HostPage
}

const makeTelegramFixture = ({ answers, page, config, ...more }: More, browser: FakeBrowser) =>
  makeFixture({
    answers: { loginWithTelegram: () => makeAuthAnswer({ user }), me: () => user, ...answers },
    app: { ...app, ...more.app },
    capabilities: capabilitiesIn(browser),
    ...(config && { config }),
    ...(page && { page }),
  })

async function open(more: More = {}) {
  const captcha = makeDecidedCaptcha()
  const browser = makeFakeBrowser()
  const relayed = Promise.withResolvers<TelegramResult>()
  const begun: RouteBody<typeof telegramRoutes.startTelegram>[] = []
  const asked: RouteBody<typeof telegramRoutes.telegramResult>[] = []
  const answers: Answers = {
    startTelegram: (body) => {
      begun.push(body)
      return { telegramOrigin }
    },
    telegramResult: (body) => {
      asked.push(body)
      return relayed.promise
    },
    loginWithTelegram: () => makeAuthAnswer({ user }),
    me: () => user,
    ...more.answers,
  }
  const fixture = await makeFixture({
    answers,
    app: { ...app, captchaEnabled: more.hasCaptcha ?? false, ...more.app },
    capabilities: more.hasCaptcha ? captcha.behind(capabilitiesIn(browser)) : capabilitiesIn(browser),
    ...(more.page && { page: more.page }),
    ...(more.config && { config: more.config }),
  })
  const login = watch(fixture.login())
  await settle()
  const landing = fixture.screen() === 'LANDING' ? fixture.landing() : undefined
  return {
    fixture,
    browser,
    begun,
    asked,
    login,
    captcha,
    landing,
    press: async () => {
      landing?.enter(0, 'press')
      await settle()
    },
    say: async (result: unknown, origin = telegramOrigin) => {
      browser.windows.at(-1)?.say(message(result), origin)
      await settle()
    },
    sayIn: async (position: number, result: unknown) => {
      browser.windows[position]?.say(message(result), telegramOrigin)
      await settle()
    },
    relay: async (result: TelegramResult) => {
      relayed.resolve(result)
      await settle()
    },
    screen: () => fixture.state('TELEGRAM_AUTH_SCREEN'),
    sent: () => fixture.transport.calls('loginWithTelegram').map(({ body }) => body),
  }
}

windowFacts({
  provider: 'telegram',
  waitSeconds: 120,
  ...waitingCard('telegram'),
  start: { call: 'startTelegram', name: 'Telegram' },
  finish: 'loginWithTelegram',
  async open(answers = {}) {
    const { fixture, browser, login, press, sayIn } = await open({ answers })
    return {
      fixture,
      browser,
      login,
      state: () => fixture.state('TELEGRAM_AUTH_SCREEN'),
      openAnother: () => fixture.press('TELEGRAM_AUTH_SCREEN', 'open'),
      press,
      answer: (position) => sayIn(position, said),
      decline: (position) => sayIn(position, false),
    }
  },
})

describe('a login', () => {
  // spec L1.7, L4.34, L7.32
  test('takes what Telegram tells the opener of its window', async () => {
    const { login, press, say, screen, sent, browser } = await open()
    await press()
    expect(screen()).toEqual({ provider: 'telegram', status: 'verifying', window: 'open' })
    await say(said)
    expect(sent()).toEqual([{ telegramAuthResult: signed }])
    expect(screen()).toEqual({ provider: 'telegram', status: 'success' })
    expect(login.value).toMatchObject({
      loginMethod: 'telegram',
      loginAccount: { type: 'telegram', telegramUserId: '42' },
    })
    expect(browser.windows[0]?.wasClosed()).toBe(true)
  })

  test('takes what the server relays, where the window has no opener', async () => {
    const { login, press, relay, begun, asked, browser, sent } = await open()
    browser.block(true)
    await press()
    const [key] = asked
    const challenge = createHash('sha256')
      .update(key?.secret ?? '')
      .digest('base64url')
    expect(begun).toMatchObject([{ relay: { handle: key?.handle, challenge } }])
    expect(browser.windows.map(({ address }) => address)).toEqual([`/telegram/start/${key?.handle}`])
    await relay({ status: 'completed', telegramAuthResult: signed })
    expect(sent()).toEqual([{ telegramAuthResult: signed }])
    expect(login.value).toMatchObject({ loginMethod: 'telegram' })
  })

  // spec L7.25
  test('has its window before anything else is done, on our own origin', async () => {
    const { fixture, browser, landing } = await open()
    landing?.enter(0, 'press')
    expect(browser.windows.map(({ address }) => address)).toEqual([
      expect.stringMatching(/^\/telegram\/start\/secret-1_+$/),
    ])
    expect(fixture.transport.calls('startTelegram')).toEqual([])
    await settle()
    expect(fixture.transport.calls('startTelegram')).toHaveLength(1)
  })

  test('hears nobody but Telegram, and nothing that it would not say', async () => {
    const { press, say, screen, sent, browser } = await open()
    await press()
    await say(said, 'https://telegram.example')
    await say(said, 'http://dialog.localhost:4000')
    for (const noise of [true, { id: 42 }, { ...said, hash: 'short' }, null]) await say(noise)
    browser.windows[0]?.say(said, telegramOrigin)
    browser.windows[0]?.say('{', telegramOrigin)
    await settle()
    expect(sent()).toEqual([])
    expect(screen()).toMatchObject({ status: 'verifying', window: 'open' })
    await say(said)
    expect(sent()).toHaveLength(1)
  })

  test('waits with what it hears until it knows where Telegram is', async () => {
    const started = Promise.withResolvers<{ telegramOrigin: string }>()
    const { press, say, sent } = await open({ answers: { startTelegram: () => started.promise } })
    await press()
    await say(said)
    expect(sent()).toEqual([])
    started.resolve({ telegramOrigin })
    await settle()
    expect(sent()).toHaveLength(1)
  })
})

describe('a failure', () => {
  // spec L4.37, L8.33, L8.35, L8.36, L8.40, L8.41
  const table: readonly (readonly [ErrorCode, string, boolean])[] = [
    ['linked_to_another_user', 'linked', false],
    ['invalid_credentials', 'credentials', true],
    ['too_many_requests', 'ownLimit', false],
    ['disallowed_login_method', 'notAllowed', false],
    ['internal_error', 'unexpected', false],
  ]
  test.each(table)('%s is told as "%s"', async (code, text, isRetryable) => {
    const { press, say, screen } = await open({
      answers: {
        loginWithTelegram: () => {
          throw refused(code, 400)
        },
      },
    })
    await press()
    await say(said)
    expect(screen()).toEqual({ provider: 'telegram', status: 'failed', text, isRetryable })
  })

  // spec L8.37
  test.each(['by its opener', 'by the server'])('is told %s where the person declined', async (way) => {
    const { fixture, browser, press, say, relay, screen } = await open()
    await press()
    if (way === 'by its opener') await say(false)
    else await relay({ status: 'denied' })
    expect(screen()).toMatchObject({ status: 'failed', text: 'denied', isRetryable: true })
    await fixture.press('TELEGRAM_AUTH_SCREEN', 'open')
    expect(browser.windows).toHaveLength(2)
  })

  test.each([{ botId: '7000000002' }, { botName: 'OtherBot' }])(
    'is that of a page for another bot: %j; a page for the bot of the app logs in',
    async (other) => {
      const named = { botId: '7000000001', botName: 'FieldnotesBot' }
      const { fixture, browser, press, begun } = await open({ config: { telegram: { ...named, ...other } } })
      await press()
      expect(readCard(fixture)).toEqual(
        expect.arrayContaining(['Not allowed', 'This page is for another Telegram bot than its app']),
      )
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      expect(begun).toEqual([])
      const own = await open({ config: { telegram: named } })
      await own.press()
      expect(own.begun).toHaveLength(1)
    },
  )

  // spec L8.1
  test('of the captcha leads to another one', async () => {
    const { fixture, captcha, press, say } = await open({
      hasCaptcha: true,
      answers: {
        loginWithTelegram: () => {
          throw refused('invalid_captcha', 400)
        },
      },
    })
    await press()
    await captcha.decide({ token: 'stale' })
    await fixture.press('TELEGRAM_AUTH_SCREEN', 'open')
    await say(said)
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Something went wrong', 'Please try again.']))
    await fixture.back()
    await press()
    expect(captcha.asked).toHaveLength(1)
  })
})

// spec L4.13
test('where the app asks for a captcha, its token goes with what Telegram signed', async () => {
  const { fixture, browser, captcha, press, say, screen, sent, begun } = await open({ hasCaptcha: true })
  await press()
  expect(browser.windows).toEqual([])
  await captcha.decide({ token: 'first' })
  expect(screen()).toEqual({ provider: 'telegram', status: 'verifying', window: 'to open' })
  await fixture.press('TELEGRAM_AUTH_SCREEN', 'open')
  expect(browser.windows).toHaveLength(1)
  expect(begun).toEqual([{ relay: expect.any(Object) }])
  await say(said)
  expect(sent()).toEqual([{ telegramAuthResult: signed, captchaToken: 'first' }])
})

describe('what the page was opened with', () => {
  const user = '{"id":42,"first_name":"Ada"}'
  const webApp = { query_id: 'AAH', user, auth_date: '1662771648', hash: 'b'.repeat(64), signature: 'x' }
  const seamless = { telegramAuthConfig: { ...bot, seamlessAuthEnabled: true } }
  const login = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]))
  const asking = (form: 'login' | 'web app', fields: Readonly<Record<string, string>>) => {
    const asked: unknown[] = []
    const page: HostPage = {
      ...emptyPage,
      async request(question) {
        asked.push(question)
        return { result: { form, fields } }
      },
    }
    return { asked, page }
  }

  // spec L2.14, L3.25
  test('by Telegram itself logs in without a click', async () => {
    const { asked, page } = asking('web app', webApp)
    const opened = await open({ page, app: seamless })
    expect(asked).toEqual([
      { wallet: 'page', method: 'latchkey_takeTelegramReturn', params: [{ webApp: true }] },
    ])
    const { query_id: queryId, auth_date: authDate, ...rest } = webApp
    expect(opened.sent()).toEqual([{ telegramWebAppData: { queryId, authDate, ...rest } }])
    expect(opened.browser.windows).toEqual([])
    expect(opened.screen()).toEqual({ provider: 'telegram', status: 'success' })
    expect(opened.login.value).toMatchObject({ loginMethod: 'telegram' })
  })

  describe('is looked for when the page is there', () => {
    async function arrive(more: More, fields: Readonly<Record<string, string>> = webApp) {
      const { asked, page } = asking('web app', fields)
      const fixture = await makeTelegramFixture({ page, app: seamless, ...more }, makeFakeBrowser())
      const arriving = watch(fixture.dialog.catchUp())
      await settle()
      return { asked, fixture, arriving, sent: fixture.transport.calls('loginWithTelegram') }
    }

    // spec L2.12, L2.14, L3.25
    test('and logs in before anybody asks for a login', async () => {
      const { fixture, sent, asked } = await arrive({})
      expect(sent).toHaveLength(1)
      expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
      expect(fixture.state('TELEGRAM_AUTH_SCREEN')).toMatchObject({ status: 'success' })
      expect(asked).toHaveLength(1)
    })

    test('and a login that is asked for meanwhile is the same one', async () => {
      const { page, asked } = asking('web app', webApp)
      const fixture = await makeTelegramFixture({ page, app: seamless }, makeFakeBrowser())
      const both = [watch(fixture.login()), watch(fixture.dialog.catchUp())]
      await settle()
      expect(fixture.transport.calls('loginWithTelegram')).toHaveLength(1)
      expect(both.map(({ settled, error }) => [settled, error])).toEqual([
        [true, undefined],
        [true, undefined],
      ])
      expect(asked).toHaveLength(1)
    })

    test('and counts once: who leaves that login finds LANDING at the next', async () => {
      const { fixture } = await arrive({
        answers: {
          loginWithTelegram: () => {
            throw refused('invalid_credentials', 422)
          },
        },
      })
      expect(fixture.state('TELEGRAM_AUTH_SCREEN')).toMatchObject({ status: 'failed' })
      fixture.stage.close()
      await fixture.clock.advance(200)
      Object.assign(fixture.page, emptyPage)
      watch(fixture.login())
      await settle()
      expect(fixture.screen()).toBe('LANDING')
      expect(fixture.transport.calls('loginWithTelegram')).toHaveLength(1)
    })

    test('and is nothing: no card opens, and the page is asked again with a login', async () => {
      const { fixture, asked } = await arrive({}, {})
      expect(fixture.frame).toEqual([])
      watch(fixture.login())
      await settle()
      expect(asked).toHaveLength(2)
    })

    const off: readonly (readonly [string, More])[] = [
      ['the app has no Telegram', { app: { telegramAuth: false, emailAuth: true } }],
      ['the host wants none', { config: { loginMethods: ['email'] } }],
    ]
    test.each(off)('but not where %s', async (_why, more) => {
      const { fixture, asked } = await arrive(more)
      expect(asked).toEqual([])
      expect(fixture.frame).toEqual([])
    })
  })

  // spec L2.12
  test('by a button of the bot logs in', async () => {
    const { page } = asking('login', login)
    const opened = await open({ page })
    expect(opened.sent()).toEqual([{ telegramAuthResult: signed }])
    expect(opened.login.value).toMatchObject({ loginMethod: 'telegram' })
  })

  // spec L3.25
  test('by Telegram itself is not taken where that is off', async () => {
    const { asked, page } = asking('login', { ...login, hash: 'none of it' })
    const opened = await open({ page })
    expect(asked).toEqual([
      { wallet: 'page', method: 'latchkey_takeTelegramReturn', params: [{ webApp: false }] },
    ])
    expect(opened.sent()).toEqual([])
    expect(opened.fixture.screen()).toBe('LANDING')
  })

  test('by Telegram itself is not taken on a page for another bot', async () => {
    const { asked, page } = asking('login', { ...login, hash: 'none of it' })
    await open({ page, app: seamless, config: { telegram: { botId: '7000000002' } } })
    expect(asked).toMatchObject([{ params: [{ webApp: false }] }])
    const own = asking('login', { ...login, hash: 'none of it' })
    await open({ page: own.page, app: seamless, config: { telegram: { botId: '7000000001' } } })
    expect(own.asked).toMatchObject([{ params: [{ webApp: true }] }])
  })

  test('and is too old says so, and Retry asks in a window', async () => {
    const { page } = asking('web app', webApp)
    const opened = await open({
      page,
      app: seamless,
      answers: {
        loginWithTelegram: () => {
          throw refused('invalid_credentials', 422)
        },
      },
    })
    expect(opened.screen()).toMatchObject({ status: 'failed', text: 'credentials', isRetryable: true })
    await opened.fixture.press('TELEGRAM_AUTH_SCREEN', 'open')
    expect(opened.browser.windows).toHaveLength(1)
  })

  test('waits for the captcha, where the app asks for one', async () => {
    const { page } = asking('web app', webApp)
    const opened = await open({ page, app: seamless, hasCaptcha: true })
    expect(opened.sent()).toEqual([])
    await opened.captcha.decide({ token: 'first' })
    expect(opened.sent()).toMatchObject([{ captchaToken: 'first' }])
  })

  test('of a page that can not say is nothing', async () => {
    const opened = await open({
      page: { ...emptyPage, request: () => Promise.reject(new LatchkeyError('method_not_found', 'Old')) },
    })
    expect(opened.fixture.screen()).toBe('LANDING')
    await opened.press()
    await opened.say(said)
    expect(opened.login.value).toMatchObject({ loginMethod: 'telegram' })
  })
})

describe('a link', () => {
  const linkedUser = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account] }

  async function link(answers: Answers = {}, changes: { app?: object; linkEnabled?: boolean } = {}) {
    const browser = makeFakeBrowser()
    const fixture = await makeFixture({
      answers: {
        startTelegram: () => ({ telegramOrigin }),
        telegramResult: () => new Promise(() => {}),
        linkTelegram: () => linkedUser,
        ...answers,
      },
      app: { ...app, emailAuth: true, captchaEnabled: true, ...changes.app },
      config: {
        telegram: {
          botId: bot.botId,
          botName: bot.botName,
          ...(changes.linkEnabled !== undefined && { linkEnabled: changes.linkEnabled }),
        },
      },
      capabilities: capabilitiesIn(browser),
    })
    fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    const linked = watch(fixture.link('telegram'))
    await settle()
    return {
      fixture,
      browser,
      linked,
      press: async () => {
        await fixture.enter(0, 'press')
        browser.windows[0]?.say(message(said), telegramOrigin)
        await settle()
      },
    }
  }

  // spec L4.15
  test('is begun by the one button, without a captcha, and the host hears of the account', async () => {
    const { fixture, browser, linked, press } = await link()
    expect(fixture.entryStates()).toEqual([{ provider: 'telegram', isAlone: true }])
    expect(browser.windows).toEqual([])
    await press()
    expect(fixture.transport.calls('linkTelegram').map(({ body }) => body)).toEqual([
      { telegramAuthResult: signed },
    ])
    expect(linked.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, { type: 'telegram', telegramUserId: '42' }] },
    })
  })

  // spec L5.18, L3.21
  test.each([
    ['the app', { app: { telegramAuthConfig: { ...bot, linkEnabled: false } } }],
    ['an app with another bot', { app: { telegramAuthConfig: { ...bot, botName: 'OtherBot' } } }],
    ['an app without a bot', { app: { telegramAuthConfig: null } }],
    ['the host', { linkEnabled: false }],
  ])('is refused without a card where %s has it off', async (_who, changes) => {
    const { fixture, linked } = await link({}, changes)
    expect(linked.error).toMatchObject({ code: 'disallowed_login_method' })
    expect(fixture.view()?.open ?? false).toBe(false)
  })

  test('a host can not turn on what the app has off', async () => {
    const { linked } = await link(
      {},
      { app: { telegramAuthConfig: { ...bot, linkEnabled: false } }, linkEnabled: true },
    )
    expect(linked.error).toMatchObject({ code: 'disallowed_login_method' })
  })

  // spec L8.35, L8.40
  test.each([
    ['linked_to_another_user', 'linked'],
    ['cannot_link_more_of_type', 'onlyOne'],
  ] as const)('%s is told, and the host hears it when the user leaves', async (code, text) => {
    const { fixture, linked, press } = await link({
      linkTelegram: () => {
        throw new LatchkeyError(code, 'No')
      },
    })
    await press()
    expect(fixture.state('TELEGRAM_AUTH_SCREEN')).toMatchObject({
      status: 'failed',
      text,
      isRetryable: false,
    })
    await fixture.close()
    expect(linked.error).toMatchObject({ code })
  })

  test('is undone for the id that the host names', async () => {
    const fixture = await makeFixture({ answers: { unlinkTelegram: () => visitorUser }, app })
    fixture.session.accept(
      makeAuthAnswer({ user: { ...walletUser, linkedAccounts: linkedUser.linkedAccounts } }),
    )
    const unlinked = watch(fixture.unlink('telegram', '42'))
    await settle()
    await fixture.press('UNLINK_SCREEN', 'unlink')
    expect(fixture.transport.calls('unlinkTelegram')[0]?.body).toEqual({ telegramUserId: '42' })
    expect(unlinked.value).toMatchObject({ user: { id: visitorUser.id } })
  })

  test.each([
    ['their username', { username: 'ada', firstName: 'Ada' }, 'ada'],
    ['their name where they have no other', { firstName: 'Ada' }, 'Ada'],
    ['its number where it has no name', {}, '42'],
  ])('is named by %s where it is to be undone', async (_what, names, name) => {
    const named = { type: 'telegram' as const, telegramUserId: '42', ...times, ...names }
    const fixture = await makeFixture({ app })
    fixture.session.accept(
      makeAuthAnswer({ user: { ...walletUser, linkedAccounts: [...visitorUser.linkedAccounts, named] } }),
    )
    void fixture.unlink('telegram', '42').catch(() => {})
    await settle()
    expect(fixture.state('UNLINK_SCREEN')).toMatchObject({ name })
  })
})
