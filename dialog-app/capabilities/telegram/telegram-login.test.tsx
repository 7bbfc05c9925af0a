import { createHash } from 'node:crypto'
import { type ClientConfig, type ErrorCode, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { RouteBody, TelegramResult, telegramRoutes } from '@latchkey/protocol/api'
import { getByRole } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import type { HostPage } from '../../browser/ports.ts'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, emptyPage, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { waitingScreen, windowFacts } from '../../window-login/testing/window-login.facts.ts'
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
  const page = renderDialog(fixture)
  await settle()
  return {
    fixture,
    page,
    browser,
    begun,
    asked,
    login,
    captcha,
    press: () => page.press('Telegram'),
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
    sent: () => fixture.transport.calls('loginWithTelegram').map(({ body }) => body),
  }
}

const waiting = 'Log in to Telegram in the window that opened.'
const connected = 'Connected to Telegram'
const continueWithTelegram = 'Continue with Telegram'
const denied = 'Retry and check Telegram to finish connecting your account.'
const invalid = 'Something went wrong. Try again.'

windowFacts({
  provider: 'telegram',
  waitSeconds: 120,
  ...waitingScreen('Telegram'),
  start: { call: 'startTelegram', name: 'Telegram' },
  finish: 'loginWithTelegram',
  async open(answers = {}) {
    const opened = await open({ answers })
    return {
      ...opened,
      retry: () => opened.page.press('Retry'),
      answer: (position) => opened.sayIn(position, said),
      decline: (position) => opened.sayIn(position, false),
    }
  },
})

describe('a login', () => {
  // spec L1.7, L4.34, L7.32
  test('uses the message of Telegram to the opener of its window', async () => {
    const { page, login, press, say, sent, browser } = await open()
    await press()
    await page.see(waiting)
    await say(said)
    expect(sent()).toEqual([{ telegramAuthResult: signed }])
    await page.see(connected)
    expect(login.value).toMatchObject({
      loginMethod: 'telegram',
      loginAccount: { type: 'telegram', telegramUserId: '42' },
    })
    expect(browser.windows[0]?.wasClosed()).toBe(true)
  })

  test('uses the result that the server relays if the window has no opener', async () => {
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
  test('opens a window of our own origin synchronously in the click', async () => {
    const { fixture, page, browser } = await open()
    await page.see('Telegram')
    getByRole(document.body, 'button', { name: 'Telegram' }).click()
    expect(browser.windows.map(({ address }) => address)).toEqual([
      expect.stringMatching(/^\/telegram\/start\/secret-1_+$/),
    ])
    expect(fixture.transport.calls('startTelegram')).toEqual([])
    await settle()
    expect(fixture.transport.calls('startTelegram')).toHaveLength(1)
  })

  test('ignores messages of other origins and in other formats', async () => {
    const { page, press, say, sent, browser } = await open()
    await press()
    await say(said, 'https://telegram.example')
    await say(said, 'http://dialog.localhost:4000')
    for (const noise of [true, { id: 42 }, { ...said, hash: 'short' }, null]) await say(noise)
    browser.windows[0]?.say(said, telegramOrigin)
    browser.windows[0]?.say('{', telegramOrigin)
    await settle()
    expect(sent()).toEqual([])
    expect(page.has(waiting)).toBe(true)
    await say(said)
    expect(sent()).toHaveLength(1)
  })

  test('holds a message until it knows the origin of Telegram', async () => {
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
  const table: readonly (readonly [ErrorCode, string, 'Retry' | 'Go back'])[] = [
    ['linked_to_another_user', 'This account has already been linked to another user.', 'Go back'],
    ['invalid_credentials', invalid, 'Retry'],
    ['too_many_requests', 'Too many requests. Please wait before trying again.', 'Go back'],
    ['disallowed_login_method', 'This app does not accept Telegram accounts.', 'Go back'],
    ['internal_error', 'Something went wrong. Please try again.', 'Go back'],
  ]
  test.each(table)('%s is shown as "%s" with the button "%s"', async (code, text, button) => {
    const { page, press, say } = await open({
      answers: {
        loginWithTelegram: () => {
          throw refused(code, 400)
        },
      },
    })
    await press()
    await say(said)
    await page.see(text)
    expect([page.hasButton('Retry'), page.hasButton('Go back')]).toEqual([
      button === 'Retry',
      button === 'Go back',
    ])
  })

  // spec L8.37
  test.each(['by its window', 'by the server'])('is reported %s if the user declined', async (way) => {
    const { page, browser, press, say, relay } = await open()
    await press()
    if (way === 'by its window') await say(false)
    else await relay({ status: 'denied' })
    await page.see(denied)
    await page.press('Retry')
    expect(browser.windows).toHaveLength(2)
  })

  test.each([{ botId: '7000000002' }, { botName: 'OtherBot' }])(
    'is that of a page for another bot: %j; a page for the bot of the app logs in',
    async (other) => {
      const named = { botId: '7000000001', botName: 'FieldnotesBot' }
      const { page, browser, press, begun } = await open({ config: { telegram: { ...named, ...other } } })
      await press()
      await page.see('Not allowed')
      expect(page.has('This page is for another Telegram bot than its app')).toBe(true)
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      expect(begun).toEqual([])
      const own = await open({ config: { telegram: named } })
      await own.press()
      expect(own.begun).toHaveLength(1)
    },
  )

  // spec L8.1
  test('requests another captcha after the server rejected the token', async () => {
    const { page, captcha, press, say } = await open({
      hasCaptcha: true,
      answers: {
        loginWithTelegram: () => {
          throw refused('invalid_captcha', 400)
        },
      },
    })
    await press()
    await captcha.decide({ token: 'stale' })
    await page.press(continueWithTelegram)
    await say(said)
    await page.see('Something went wrong')
    expect(page.has('Please try again.')).toBe(true)
    await page.press('Back')
    await press()
    expect(captcha.asked).toHaveLength(1)
  })
})

// spec L4.13
test('sends the captcha token with the signed Telegram data if the app requires a captcha', async () => {
  const { page, browser, captcha, press, say, sent, begun } = await open({ hasCaptcha: true })
  await press()
  expect(browser.windows).toEqual([])
  await captcha.decide({ token: 'first' })
  await page.see('You continue at Telegram.')
  await page.press(continueWithTelegram)
  expect(browser.windows).toHaveLength(1)
  expect(begun).toEqual([{ relay: expect.any(Object) }])
  await say(said)
  expect(sent()).toEqual([{ telegramAuthResult: signed, captchaToken: 'first' }])
})

describe('Telegram data in the URL of the host page', () => {
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
  test('logs in without a click from a Mini App launch', async () => {
    const { asked, page } = asking('web app', webApp)
    const opened = await open({ page, app: seamless })
    expect(asked).toEqual([
      { wallet: 'page', method: 'latchkey_takeTelegramReturn', params: [{ webApp: true }] },
    ])
    const { query_id: queryId, auth_date: authDate, ...rest } = webApp
    expect(opened.sent()).toEqual([{ telegramWebAppData: { queryId, authDate, ...rest } }])
    expect(opened.browser.windows).toEqual([])
    await opened.page.see(connected)
    expect(opened.login.value).toMatchObject({ loginMethod: 'telegram' })
  })

  describe('reading the data when the host page has loaded', () => {
    async function arrive(more: More, fields: Readonly<Record<string, string>> = webApp) {
      const { asked, page } = asking('web app', fields)
      const fixture = await makeTelegramFixture({ page, app: seamless, ...more }, makeFakeBrowser())
      const arriving = watch(fixture.dialog.catchUp())
      await settle()
      const rendered = renderDialog(fixture)
      await settle()
      return { asked, fixture, rendered, arriving, sent: () => fixture.transport.calls('loginWithTelegram') }
    }

    // spec L2.12, L2.14, L3.25
    test('logs in before the host calls login', async () => {
      const { fixture, rendered, sent, asked } = await arrive({})
      expect(sent()).toHaveLength(1)
      expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
      await rendered.see(connected)
      expect(asked).toHaveLength(1)
    })

    test('shares one login with a concurrent call of the host', async () => {
      const { page, asked } = asking('web app', webApp)
      const fixture = await makeTelegramFixture({ page, app: seamless }, makeFakeBrowser())
      const both = [watch(fixture.login()), watch(fixture.dialog.catchUp())]
      renderDialog(fixture)
      await settle()
      expect(fixture.transport.calls('loginWithTelegram')).toHaveLength(1)
      expect(both.map(({ settled, error }) => [settled, error])).toEqual([
        [true, undefined],
        [true, undefined],
      ])
      expect(asked).toHaveLength(1)
    })

    test('uses the data once: the login after a failed one opens LANDING', async () => {
      const { fixture, rendered } = await arrive({
        answers: {
          loginWithTelegram: () => {
            throw refused('invalid_credentials', 422)
          },
        },
      })
      await rendered.see(invalid)
      fixture.stage.close()
      await fixture.clock.advance(200)
      Object.assign(fixture.page, emptyPage)
      watch(fixture.login())
      await settle()
      expect(fixture.screen()).toBe('LANDING')
      expect(fixture.transport.calls('loginWithTelegram')).toHaveLength(1)
    })

    test('opens no card without data, and reads again at the next login', async () => {
      const { fixture, asked } = await arrive({}, {})
      expect(fixture.frame).toEqual([])
      watch(fixture.login())
      await settle()
      expect(asked).toHaveLength(2)
    })

    const off: readonly (readonly [string, More])[] = [
      ['the app has no Telegram', { app: { telegramAuth: false, emailAuth: true } }],
      ['the host does not offer it', { config: { loginMethods: ['email'] } }],
    ]
    test.each(off)('reads nothing if %s', async (_why, more) => {
      const { fixture, asked } = await arrive(more)
      expect(asked).toEqual([])
      expect(fixture.frame).toEqual([])
    })
  })

  // spec L2.12
  test('logs in from a login button of the bot', async () => {
    const { page } = asking('login', login)
    const opened = await open({ page })
    expect(opened.sent()).toEqual([{ telegramAuthResult: signed }])
    expect(opened.login.value).toMatchObject({ loginMethod: 'telegram' })
  })

  // spec L3.25
  test('requests no Mini App data if seamless login is off', async () => {
    const { asked, page } = asking('login', { ...login, hash: 'none of it' })
    const opened = await open({ page })
    expect(asked).toEqual([
      { wallet: 'page', method: 'latchkey_takeTelegramReturn', params: [{ webApp: false }] },
    ])
    expect(opened.sent()).toEqual([])
    expect(opened.fixture.screen()).toBe('LANDING')
  })

  test('requests no Mini App data on a page for another bot', async () => {
    const { asked, page } = asking('login', { ...login, hash: 'none of it' })
    await open({ page, app: seamless, config: { telegram: { botId: '7000000002' } } })
    expect(asked).toMatchObject([{ params: [{ webApp: false }] }])
    const own = asking('login', { ...login, hash: 'none of it' })
    await open({ page: own.page, app: seamless, config: { telegram: { botId: '7000000001' } } })
    expect(own.asked).toMatchObject([{ params: [{ webApp: true }] }])
  })

  test('shows an error if the server rejects the data, and Retry opens a window', async () => {
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
    await opened.page.see(invalid)
    await opened.page.press('Retry')
    expect(opened.browser.windows).toHaveLength(1)
  })

  test('waits for the captcha if the app requires one', async () => {
    const { page } = asking('web app', webApp)
    const opened = await open({ page, app: seamless, hasCaptcha: true })
    expect(opened.sent()).toEqual([])
    await opened.captcha.decide({ token: 'first' })
    expect(opened.sent()).toMatchObject([{ captchaToken: 'first' }])
  })

  test('opens LANDING if the host page cannot read the data', async () => {
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
    const page = renderDialog(fixture)
    return {
      fixture,
      page,
      browser,
      linked,
      press: async () => {
        await page.press(continueWithTelegram)
        browser.windows[0]?.say(message(said), telegramOrigin)
        await settle()
      },
    }
  }

  // spec L4.15
  test('links after a press and without a captcha, and returns the account to the host', async () => {
    const { fixture, page, browser, linked, press } = await link()
    await page.see(continueWithTelegram)
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
  ])('rejects without a card if %s disables it', async (_who, changes) => {
    const { fixture, linked } = await link({}, changes)
    expect(linked.error).toMatchObject({ code: 'disallowed_login_method' })
    expect(fixture.view()?.open ?? false).toBe(false)
  })

  test('rejects if the host enables linking that the app disables', async () => {
    const { linked } = await link(
      {},
      { app: { telegramAuthConfig: { ...bot, linkEnabled: false } }, linkEnabled: true },
    )
    expect(linked.error).toMatchObject({ code: 'disallowed_login_method' })
  })

  // spec L8.35, L8.40
  test.each([
    ['linked_to_another_user', 'This account has already been linked to another user.'],
    ['cannot_link_more_of_type', 'You cannot authorize more than one account for this user.'],
  ] as const)(
    'that fails with %s shows "%s", and the host receives it when the user leaves',
    async (code, text) => {
      const { fixture, page, linked, press } = await link({
        linkTelegram: () => {
          throw new LatchkeyError(code, 'No')
        },
      })
      await press()
      await page.see(text)
      expect(page.hasButton('Go back')).toBe(true)
      await fixture.close()
      expect(linked.error).toMatchObject({ code })
    },
  )

  test('unlinks the account with the id that the host passes', async () => {
    const fixture = await makeFixture({ answers: { unlinkTelegram: () => visitorUser }, app })
    fixture.session.accept(
      makeAuthAnswer({ user: { ...walletUser, linkedAccounts: linkedUser.linkedAccounts } }),
    )
    const unlinked = watch(fixture.unlink('telegram', '42'))
    await settle()
    await renderDialog(fixture).press('Unlink')
    expect(fixture.transport.calls('unlinkTelegram')[0]?.body).toEqual({ telegramUserId: '42' })
    expect(unlinked.value).toMatchObject({ user: { id: visitorUser.id } })
  })

  test.each([
    ['the username', { username: 'ada', firstName: 'Ada' }, 'ada'],
    ['the first name without a username', { firstName: 'Ada' }, 'Ada'],
    ['the id without any name', {}, '42'],
  ])('shows %s on the unlink screen', async (_what, names, name) => {
    const named = { type: 'telegram' as const, telegramUserId: '42', ...times, ...names }
    const fixture = await makeFixture({ app })
    fixture.session.accept(
      makeAuthAnswer({ user: { ...walletUser, linkedAccounts: [...visitorUser.linkedAccounts, named] } }),
    )
    void fixture.unlink('telegram', '42').catch(() => {})
    await settle()
    await renderDialog(fixture).see((text) => text.includes(name))
  })
})
