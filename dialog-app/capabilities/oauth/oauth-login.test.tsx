import { createHash } from 'node:crypto'
import { type ErrorCode, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { OAuthResult, oauthRoutes, RouteBody } from '@latchkey/protocol/api'
import { getByRole } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { waitingScreen, windowFacts } from '../../window-login/testing/window-login.facts.ts'
import { type FakeBrowser, makeFakeBrowser } from '../../window-login/testing.ts'
import { canLogInHere } from './oauth-login.ts'
import { lookOf } from './providers.ts'
import { capabilitiesIn } from './testing.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const google = { type: 'google_oauth' as const, subject: '1091', email: 'ada@example.com', ...times }
const user: UserRecord = { ...visitorUser, linkedAccounts: [google] }
const app = { emailAuth: false, googleOauth: true, appleOauth: true }

/** The server's side of the relay: pending until the test says what came of a window, by its place. */
function makeRelay() {
  const begun: RouteBody<typeof oauthRoutes.startOAuth>[] = []
  const asked: RouteBody<typeof oauthRoutes.oauthResult>[] = []
  const finished: RouteBody<typeof oauthRoutes.loginWithOAuth>[] = []
  const results = new Map<string, PromiseWithResolvers<OAuthResult>>()
  const of = (handle: string) => {
    const found = results.get(handle) ?? Promise.withResolvers<OAuthResult>()
    results.set(handle, found)
    return found
  }
  const answers: Answers = {
    startOAuth: (body) => {
      begun.push(body)
      return { url: `http://dialog.localhost:4000/oauth/start/${body.relay?.handle}` }
    },
    oauthResult: (body) => {
      asked.push(body)
      return of(body.handle).promise
    },
    loginWithOAuth: (body) => {
      finished.push(body)
      return makeAuthAnswer({ user })
    },
    me: () => user,
  }
  return {
    answers,
    begun,
    asked,
    finished,
    settle(browser: FakeBrowser, position: number, result: (stateCode: string) => OAuthResult) {
      const handle = handleOf(browser, position)
      const order = begun.find(({ relay }) => relay?.handle === handle)
      of(handle).resolve(result(order?.stateCode ?? 'none'))
      return settle()
    },
  }
}

const handleOf = ({ windows }: FakeBrowser, position: number) =>
  windows[position]?.address.slice('/oauth/start/'.length) ?? ''
const completed = (stateCode: string): OAuthResult => ({
  status: 'completed',
  authorizationCode: 'code-1',
  stateCode,
})
const failed =
  (error: 'oauth_user_denied' | 'oauth_account_suspended' | 'oauth_unexpected') => (): OAuthResult => ({
    status: 'failed',
    error,
  })

type More = { answers?: Answers; userAgent?: string; hasCaptcha?: boolean }

async function open(more: More = {}) {
  const captcha = makeDecidedCaptcha()
  const relay = makeRelay()
  const browser = makeFakeBrowser(more.userAgent)
  const fixture = await makeFixture({
    answers: { ...relay.answers, ...more.answers },
    app: { ...app, captchaEnabled: more.hasCaptcha ?? false },
    capabilities: more.hasCaptcha ? captcha.behind(capabilitiesIn(browser)) : capabilitiesIn(browser),
  })
  const login = watch(fixture.login())
  await settle()
  const page = renderDialog(fixture)
  return {
    fixture,
    page,
    browser,
    relay,
    login,
    captcha,
    press: (name: 'Apple' | 'Google' = 'Google') => page.press(name),
    answer: (position: number, result: (stateCode: string) => OAuthResult) =>
      relay.settle(browser, position, result),
  }
}

const waiting = 'Log in to Google in the window that opened.'
const closed = 'If you closed the Google window, try again.'
const toOpen = 'You continue at Google.'
const denied = 'Retry and check Google to finish connecting your account.'
const continueWithGoogle = 'Continue with Google'

windowFacts({
  provider: 'google',
  waitSeconds: 120,
  ...waitingScreen('Google'),
  start: { call: 'startOAuth', name: 'Google' },
  finish: 'loginWithOAuth',
  async open(answers = {}) {
    const opened = await open({ answers })
    return {
      ...opened,
      press: () => opened.press(),
      retry: () => opened.page.press('Retry'),
      answer: (position) => opened.answer(position, completed),
      decline: (position) => opened.answer(position, failed('oauth_user_denied')),
    }
  },
})

describe('a login at a provider', () => {
  // spec L2.41, L7.30, L7.37
  test('opens the start page, fills it beside, and brings the code with its verifier', async () => {
    const { page, browser, relay, login, press, answer } = await open()
    await press()
    await page.see(waiting)
    await answer(0, completed)
    const [begun] = relay.begun
    const [asked] = relay.asked
    const [finished] = relay.finished
    if (!begun?.relay || !asked || !finished) throw new Error('A call is missing')
    const { handle, secret } = asked
    const { stateCode, codeVerifier } = finished
    expect(browser.windows.map(({ address }) => address)).toEqual([`/oauth/start/${handle}`])
    const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
    expect(begun).toEqual({
      provider: 'google',
      redirectTo: 'http://dialog.localhost:4000/apps/lkdemo0000000000000000001/dialog',
      codeChallenge: challengeOf(codeVerifier),
      stateCode,
      relay: {
        handle,
        challenge: challengeOf(secret),
        key: 'k'.repeat(87),
        origin: 'http://demo.localhost:4010',
      },
    })
    expect(finished).toEqual({ authorizationCode: 'code-1', stateCode, codeVerifier })
    expect(new Set([handle, secret, stateCode, codeVerifier]).size).toBe(4)
    expect(login.value).toMatchObject({
      loginMethod: 'google',
      loginAccount: { type: 'google_oauth', subject: '1091' },
    })
  })

  test('opens the window synchronously in the click, before the user activation ends', async () => {
    const { fixture, page, browser } = await open()
    await page.see('Google')
    getByRole(document.body, 'button', { name: 'Google' }).click()
    expect(browser.windows).toHaveLength(1)
    expect(fixture.transport.calls('startOAuth')).toEqual([])
    await settle()
    expect(fixture.transport.calls('startOAuth')).toHaveLength(1)
  })

  // spec L5.22
  test('accepts a message of our own page in the window, and closes the window', async () => {
    const { fixture, page, browser, relay, press } = await open()
    await press()
    const stateCode = relay.begun[0]?.stateCode
    for (const noise of [null, 'hello', { type: 'LATCHKEY_OAUTH_RESPONSE', stateCode }]) {
      browser.windows[0]?.say(noise)
    }
    const answer = { type: 'LATCHKEY_OAUTH_RESPONSE', stateCode, authorizationCode: 'code-2' }
    browser.windows[0]?.say(answer, 'https://provider.example')
    await settle()
    expect(page.has(waiting)).toBe(true)
    browser.windows[0]?.say(answer)
    await settle()
    expect(fixture.transport.calls('loginWithOAuth')[0]?.body).toMatchObject({ authorizationCode: 'code-2' })
    await page.see('Connected to Google')
    expect(browser.windows[0]?.wasClosed()).toBe(true)
  })

  test('polls again after a pause while the server has no result', async () => {
    let asked = 0
    const { fixture, press } = await open({
      answers: {
        oauthResult: () => {
          asked += 1
          return { status: 'pending' }
        },
      },
    })
    await press()
    expect(asked).toBe(1)
    await fixture.clock.advance(299)
    expect(asked).toBe(1)
    await fixture.clock.advance(1)
    expect(asked).toBe(2)
  })
})

describe('a window', () => {
  // spec L9.7
  test('offers another attempt if the window reads as closed for 300 ms, and accepts its late response', async () => {
    const { fixture, page, browser, login, press, answer } = await open()
    await press()
    await fixture.clock.advance(300)
    browser.windows[0]?.closes()
    await fixture.clock.advance(299)
    expect(page.has(waiting)).toBe(true)
    await fixture.clock.advance(1)
    await page.see(closed)
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
  })

  async function openTwo() {
    const opened = await open()
    const { fixture, page, browser, press } = opened
    await press()
    browser.windows[0]?.closes()
    await fixture.clock.advance(300)
    await page.press('Try again')
    expect(browser.windows).toHaveLength(2)
    await page.see(waiting)
    return opened
  }

  // spec L9.7
  test('accepts the response of an earlier window, and closes the later one', async () => {
    const { fixture, browser, login, answer } = await openTwo()
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    expect(browser.windows[1]?.wasClosed()).toBe(true)
    expect(fixture.transport.calls('loginWithOAuth')).toHaveLength(1)
  })

  test('ignores the failure of an earlier window', async () => {
    const { page, answer } = await openTwo()
    await answer(0, failed('oauth_user_denied'))
    expect(page.has(waiting)).toBe(true)
    await answer(1, failed('oauth_user_denied'))
    await page.see(denied)
  })

  test('accepts the response of a window that the opener policy hid, after another one opened', async () => {
    const { page, browser, login, press, answer } = await open()
    browser.block(true)
    await press()
    await page.see(/^Google opens in a new window\./)
    browser.block(false)
    await page.press(continueWithGoogle)
    await page.see(waiting)
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
  })

  test('ignores the window of a provider that the user left', async () => {
    const { fixture, page, browser, press, answer } = await open()
    await press()
    await page.press('Back')
    await press('Apple')
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    await answer(0, completed)
    expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    await page.see('Log in to Apple in the window that opened.')
    await page.press('Back')
    await fixture.clock.advance(300)
    expect(browser.windows[1]?.wasClosed()).toBe(true)
  })

  test('offers no way back once the provider has confirmed', async () => {
    const { page, press, answer } = await open({
      answers: { loginWithOAuth: () => new Promise(() => {}) },
    })
    await press()
    expect([page.hasButton('Back'), page.hasButton('Close')]).toEqual([true, true])
    await answer(0, completed)
    await page.see('Verifying your Google account')
    expect([page.hasButton('Back'), page.hasButton('Close')]).toEqual([false, true])
  })
})

describe('a failure', () => {
  // spec L4.37, L8.35, L8.36, L8.37, L8.38, L8.39, L8.40, L8.41
  const table: readonly (readonly [ErrorCode, string, 'Retry' | 'Go back'])[] = [
    ['linked_to_another_user', 'This account has already been linked to another user.', 'Go back'],
    ['invalid_credentials', 'Something went wrong. Try again.', 'Retry'],
    ['oauth_user_denied', denied, 'Retry'],
    ['too_many_requests', 'Request limit reached for Google. Please wait a moment and try again.', 'Go back'],
    [
      'oauth_account_suspended',
      'Your Google account is suspended. Please try another login method.',
      'Go back',
    ],
    ['cannot_link_more_of_type', 'You cannot authorize more than one account for this user.', 'Go back'],
    ['oauth_unexpected', 'Something went wrong. Please try again.', 'Go back'],
    ['pkce_state_code_mismatch', 'Unexpected auth flow. This may be a phishing attempt.', 'Go back'],
    ['internal_error', 'Something went wrong. Please try again.', 'Go back'],
  ]
  test.each(table)('%s is shown as "%s" with the button "%s"', async (code, text, button) => {
    const { fixture, page, press, answer } = await open({
      answers: {
        loginWithOAuth: () => {
          throw refused(code, 400)
        },
      },
    })
    await press()
    await answer(0, completed)
    await page.see(text)
    expect(page.has('Authentication failed')).toBe(true)
    expect([page.hasButton('Retry'), page.hasButton('Go back')]).toEqual([
      button === 'Retry',
      button === 'Go back',
    ])
    expect(fixture.events.includes('possible_phishing_attempt')).toBe(code === 'pkce_state_code_mismatch')
  })

  // spec L5.21
  test('reports a state of another login as a phishing attempt, and does not use its code', async () => {
    const { fixture, page, press, answer } = await open()
    await press()
    await answer(0, () => completed('of another login'))
    await page.see('Unexpected auth flow. This may be a phishing attempt.')
    expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    expect(fixture.events).toContain('possible_phishing_attempt')
    expect(page.hasButton('Retry')).toBe(false)
    await page.press('Go back')
    expect(fixture.screen()).toBe('LANDING')
  })
})

describe('in a browser inside of an app', () => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/470.0]'

  // spec L2.42, L2.43
  test('Google shows without a window that its login is impossible, and the others are tried', async () => {
    const { fixture, page, browser, press } = await open({ userAgent })
    await press()
    expect(fixture.screen()).toBe('IN_APP_BROWSER_LOGIN_NOT_POSSIBLE')
    await page.see('Could not log in with provider')
    expect(browser.windows).toEqual([])
    await page.press('Go back')
    expect(fixture.screen()).toBe('LANDING')
    await press('Apple')
    expect(fixture.screen()).toBe('AWAITING_OAUTH_SCREEN')
    expect(browser.windows).toHaveLength(1)
  })
})

describe('if the app requires a captcha', () => {
  // spec L4.13, L7.30
  test('shows the captcha first, and then a button that opens the window with its token', async () => {
    const { page, browser, relay, captcha, login, press, answer } = await open({ hasCaptcha: true })
    await press()
    expect(captcha.asked).toHaveLength(1)
    expect(browser.windows).toEqual([])
    expect(relay.begun).toEqual([])
    await captcha.decide({ token: 'first' })
    await page.see(toOpen)
    expect(browser.windows).toEqual([])
    await page.press(continueWithGoogle)
    expect(browser.windows).toHaveLength(1)
    expect(relay.begun).toMatchObject([{ provider: 'google', token: 'first' }])
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    expect(captcha.asked).toEqual([])
  })

  // spec L4.17, L8.1
  test('requests another captcha after the server rejected the token', async () => {
    const { page, captcha, press } = await open({
      hasCaptcha: true,
      answers: {
        startOAuth: () => {
          throw refused('invalid_captcha', 400)
        },
      },
    })
    await press()
    await captcha.decide({ token: 'stale' })
    await page.press(continueWithGoogle)
    await page.see('Something went wrong')
    expect(page.has('Please try again.')).toBe(true)
    await page.press('Back')
    await press()
    expect(captcha.asked).toHaveLength(1)
  })

  test('requests another captcha if the button is pressed after the token expired', async () => {
    const { page, relay, captcha, press, fixture } = await open({ hasCaptcha: true })
    await press()
    await captcha.decide({ token: 'first' })
    await fixture.clock.advance(240_000)
    await page.press(continueWithGoogle)
    expect(relay.begun).toEqual([])
    expect(captcha.asked).toHaveLength(1)
    await captcha.decide({ token: 'second' })
    await page.press(continueWithGoogle)
    expect(relay.begun).toMatchObject([{ token: 'second' }])
  })

  test('requests a captcha for each attempt, and opens no window if the user goes back from it', async () => {
    const { page, browser, relay, captcha, press, answer, fixture } = await open({ hasCaptcha: true })
    await press()
    await captcha.decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    await press()
    await captcha.decide({ token: 'first' })
    await page.press(continueWithGoogle)
    await answer(0, failed('oauth_user_denied'))
    await page.press('Retry')
    expect(browser.windows).toHaveLength(1)
    await captcha.decide(undefined)
    await page.see('Authentication failed')
    await page.press('Retry')
    await captcha.decide({ token: 'second' })
    await page.see(toOpen)
    await page.press(continueWithGoogle)
    expect(relay.begun.map(({ token }) => token)).toEqual(['first', 'second'])
  })
})

describe('a link', () => {
  async function link(answers: Answers = {}, hasCaptcha = false) {
    const captcha = makeDecidedCaptcha()
    const relay = makeRelay()
    const browser = makeFakeBrowser()
    const own = capabilitiesIn(browser)
    const fixture = await makeFixture({
      answers: { ...relay.answers, ...answers },
      app: { ...app, emailAuth: true, captchaEnabled: hasCaptcha },
      capabilities: hasCaptcha ? captcha.behind(own) : own,
    })
    fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    const linked = watch(fixture.link('google'))
    await settle()
    const page = renderDialog(fixture)
    return { fixture, page, browser, relay, captcha, linked, press: () => page.press(continueWithGoogle) }
  }

  test('begins with the one button, and the host receives the account', async () => {
    const { fixture, page, browser, relay, linked, press } = await link({
      linkOAuth: () => ({ ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, google] }),
    })
    await page.see(continueWithGoogle)
    expect(browser.windows).toEqual([])
    await press()
    await relay.settle(browser, 0, completed)
    expect(fixture.transport.calls('linkOAuth')[0]?.body).toMatchObject({ authorizationCode: 'code-1' })
    await page.see('Connected to Google')
    expect(linked.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, { type: 'google_oauth', subject: '1091' }] },
    })
  })

  // spec L4.15
  test('starts with the token of a captcha, although the user is logged in', async () => {
    const { page, relay, captcha, press } = await link({}, true)
    await press()
    expect(captcha.asked).toHaveLength(1)
    expect(relay.begun).toEqual([])
    await captcha.decide({ token: 'passed' })
    await page.see(toOpen)
    await page.press(continueWithGoogle)
    expect(relay.begun).toMatchObject([{ provider: 'google', token: 'passed' }])
  })

  // spec L8.35
  test("of another user's account shows that, and the host receives the error when the user leaves", async () => {
    const { fixture, page, browser, relay, linked, press } = await link({
      linkOAuth: () => {
        throw new LatchkeyError('linked_to_another_user', 'Taken')
      },
    })
    await press()
    await relay.settle(browser, 0, completed)
    await page.see('This account has already been linked to another user.')
    expect(linked.settled).toBe(false)
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test('unlinks the account with the subject that the host passes', async () => {
    const both = { ...walletUser, linkedAccounts: [...visitorUser.linkedAccounts, google] }
    const fixture = await makeFixture({ answers: { unlinkOAuth: () => visitorUser }, app })
    fixture.session.accept(makeAuthAnswer({ user: both }))
    const unlinked = watch(fixture.unlink('google', '1091'))
    await settle()
    await renderDialog(fixture).press('Unlink')
    expect(fixture.transport.calls('unlinkOAuth')[0]?.body).toEqual({ provider: 'google', subject: '1091' })
    expect(unlinked.value).toMatchObject({ user: { id: visitorUser.id } })
  })
})

// spec L1.8
describe.each([
  'apple',
  'discord',
  'github',
  'google',
  'linkedin',
  'spotify',
  'instagram',
  'twitter',
  'tiktok',
] as const)('%s, as the one provider of an app', (provider) => {
  const own = { type: `${provider}_oauth` as const, subject: '1091', ...times }
  const owner: UserRecord = { ...visitorUser, linkedAccounts: [own] }
  const { title } = lookOf(provider)

  async function start(answers: Answers) {
    const relay = makeRelay()
    const browser = makeFakeBrowser()
    const fixture = await makeFixture({
      answers: { ...relay.answers, ...answers },
      app: { emailAuth: false, [`${provider}Oauth`]: true },
      capabilities: capabilitiesIn(browser),
    })
    const press = async (button: string) => {
      await renderDialog(fixture).press(button)
      expect(relay.begun).toMatchObject([{ provider }])
      await relay.settle(browser, 0, completed)
    }
    return { fixture, press }
  }

  test('logs its user in', async () => {
    const { fixture, press } = await start({
      loginWithOAuth: () => makeAuthAnswer({ user: owner }),
      me: () => owner,
    })
    const login = watch(fixture.login())
    await settle()
    await press(title)
    expect(fixture.transport.calls('loginWithOAuth')).toHaveLength(1)
    expect(login.value).toMatchObject({ loginMethod: provider, loginAccount: own })
  })

  test('is linked by a user', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, own]
    const { fixture, press } = await start({ linkOAuth: () => ({ ...visitorUser, linkedAccounts }) })
    fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    const linked = watch(fixture.link(provider))
    await settle()
    await press(`Continue with ${title}`)
    expect(fixture.transport.calls('linkOAuth')).toHaveLength(1)
    expect(linked.value).toMatchObject({ user: { linkedAccounts } })
  })
})

// spec L9.21, L2.43
describe('a browser inside of an app', () => {
  const webview =
    'Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile Safari/537.36'
  test.each([
    ['Facebook on iOS', `${webview} [FBAN/FBIOS;FBAV/470.0]`],
    ['Facebook on Android', `${webview} [FB_IAB/FB4A;FBAV/470.0;]`],
    ['Instagram', `${webview} Instagram 350.0 Android`],
    ['Snapchat', `${webview} Snapchat/13.0`],
    ['LinkedIn', `${webview} [LinkedInApp]/9.30`],
  ])('of %s refuses Google alone', (_name, userAgent) => {
    expect(canLogInHere('google', userAgent)).toBe(false)
    expect(canLogInHere('apple', userAgent)).toBe(true)
    expect(canLogInHere('linkedin', userAgent)).toBe(true)
  })

  test('any other browser takes Google', () => {
    for (const userAgent of [webview, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0']) {
      expect(canLogInHere('google', userAgent)).toBe(true)
    }
  })
})
