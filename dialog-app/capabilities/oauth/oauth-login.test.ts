import { createHash } from 'node:crypto'
import { type ErrorCode, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { OAuthResult, oauthRoutes, RouteBody } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { waitingCard, windowFacts } from '../../window-login/testing/window-login.facts.ts'
import { type FakeBrowser, makeFakeBrowser } from '../../window-login/testing.ts'
import { canLogInHere } from './oauth-login.ts'
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
  const landing = fixture.landing()
  return {
    fixture,
    browser,
    relay,
    login,
    captcha,
    /** LANDING has Apple first. */
    press: async (provider: 'apple' | 'google') => {
      landing.enter(provider === 'apple' ? 1 : 0, 'press')
      await settle()
    },
    landing,
    answer: (position: number, result: (stateCode: string) => OAuthResult) =>
      relay.settle(browser, position, result),
    awaiting: () => fixture.state('AWAITING_OAUTH_SCREEN'),
  }
}

windowFacts({
  provider: 'google',
  waitSeconds: 120,
  ...waitingCard('google'),
  start: { call: 'startOAuth', name: 'Google' },
  finish: 'loginWithOAuth',
  async open(answers = {}) {
    const { fixture, browser, login, press, answer } = await open({ answers })
    return {
      fixture,
      browser,
      login,
      state: () => fixture.state('AWAITING_OAUTH_SCREEN'),
      openAnother: () => fixture.press('AWAITING_OAUTH_SCREEN', 'open'),
      press: () => press('google'),
      answer: (position) => answer(position, completed),
      decline: (position) => answer(position, failed('oauth_user_denied')),
    }
  },
})

describe('a login at a provider', () => {
  // spec L2.41, L7.30, L7.37
  test('opens the start page, fills it beside, and brings the code with its verifier', async () => {
    const { browser, relay, login, press, answer, awaiting } = await open()
    await press('google')
    expect(awaiting()).toEqual({ provider: 'google', status: 'verifying', window: 'open' })
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

  test('has the window before anything else is done: the click counts no longer after that', async () => {
    const { fixture, browser, landing } = await open()
    landing.enter(0, 'press')
    expect(browser.windows).toHaveLength(1)
    expect(fixture.transport.calls('startOAuth')).toEqual([])
    await settle()
    expect(fixture.transport.calls('startOAuth')).toHaveLength(1)
  })

  // spec L5.22
  test('takes what a page of ours in the window says to its opener, and no window stays', async () => {
    const { fixture, browser, relay, press, awaiting } = await open()
    await press('google')
    const stateCode = relay.begun[0]?.stateCode
    for (const noise of [null, 'hello', { type: 'LATCHKEY_OAUTH_RESPONSE', stateCode }]) {
      browser.windows[0]?.say(noise)
    }
    const answer = { type: 'LATCHKEY_OAUTH_RESPONSE', stateCode, authorizationCode: 'code-2' }
    browser.windows[0]?.say(answer, 'https://provider.example')
    await settle()
    expect(awaiting()).toMatchObject({ status: 'verifying' })
    browser.windows[0]?.say(answer)
    await settle()
    expect(fixture.transport.calls('loginWithOAuth')[0]?.body).toMatchObject({ authorizationCode: 'code-2' })
    expect(awaiting()).toMatchObject({ status: 'success' })
    expect(browser.windows[0]?.wasClosed()).toBe(true)
  })

  test('asks again while the server has nothing, with a pause', async () => {
    let asked = 0
    const { fixture, press } = await open({
      answers: {
        oauthResult: () => {
          asked += 1
          return { status: 'pending' }
        },
      },
    })
    await press('google')
    expect(asked).toBe(1)
    await fixture.clock.advance(299)
    expect(asked).toBe(1)
    await fixture.clock.advance(1)
    expect(asked).toBe(2)
  })
})

describe('a window', () => {
  // spec L9.7
  test('that reads as closed at a look every 300 ms offers to try again, and what still comes of it wins', async () => {
    const { fixture, browser, login, press, answer, awaiting } = await open()
    await press('google')
    await fixture.clock.advance(300)
    browser.windows[0]?.closes()
    await fixture.clock.advance(299)
    expect(awaiting()).toMatchObject({ window: 'open' })
    await fixture.clock.advance(1)
    expect(awaiting()).toEqual({ provider: 'google', status: 'verifying', window: 'closed' })
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
  })

  // spec L9.7
  test('of an earlier try still wins, and the later one is taken away', async () => {
    const { fixture, browser, login, press, answer, awaiting } = await open()
    await press('google')
    browser.windows[0]?.closes()
    await fixture.clock.advance(300)
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(browser.windows).toHaveLength(2)
    expect(awaiting()).toMatchObject({ status: 'verifying', window: 'open' })
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    expect(browser.windows[1]?.wasClosed()).toBe(true)
    expect(fixture.transport.calls('loginWithOAuth')).toHaveLength(1)
  })

  test('of an earlier try that fails says nothing about the later one', async () => {
    const { fixture, browser, press, answer, awaiting } = await open()
    await press('google')
    browser.windows[0]?.closes()
    await fixture.clock.advance(300)
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    await answer(0, failed('oauth_user_denied'))
    expect(awaiting()).toMatchObject({ status: 'verifying', window: 'open' })
    await answer(1, failed('oauth_user_denied'))
    expect(awaiting()).toMatchObject({ status: 'failed', text: 'denied' })
  })

  test('that did not come has a button that opens one, and may be there unseen', async () => {
    const { fixture, browser, login, press, answer, awaiting } = await open()
    browser.block(true)
    await press('google')
    expect(awaiting()).toEqual({ provider: 'google', status: 'verifying', window: 'none' })
    browser.block(false)
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(awaiting()).toMatchObject({ window: 'open' })
    // The host's opener policy hid the first one; its user used that.
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
  })

  test('of a provider that the user turned away from logs nobody in', async () => {
    const { fixture, browser, press, answer, awaiting } = await open()
    await press('google')
    await fixture.back()
    await press('apple')
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    await answer(0, completed)
    expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    expect(awaiting()).toMatchObject({ provider: 'apple', status: 'verifying', window: 'open' })
    await fixture.back()
    await fixture.clock.advance(300)
    expect(browser.windows[1]?.wasClosed()).toBe(true)
  })

  test('leaves no way back once the provider has confirmed', async () => {
    const { fixture, press, answer, awaiting } = await open({
      answers: { loginWithOAuth: () => new Promise(() => {}) },
    })
    await press('google')
    expect(fixture.view()?.header).toEqual({ back: true, close: true })
    await answer(0, completed)
    expect(awaiting()).toEqual({ provider: 'google', status: 'confirmed' })
    expect(fixture.view()?.header).toEqual({ back: false, close: true })
  })
})

describe('a failure', () => {
  // spec L4.37, L8.35, L8.36, L8.37, L8.38, L8.39, L8.40, L8.41
  const table: readonly (readonly [ErrorCode, string, boolean])[] = [
    ['linked_to_another_user', 'linked', false],
    ['invalid_credentials', 'credentials', true],
    ['oauth_user_denied', 'denied', true],
    ['too_many_requests', 'limit', false],
    ['oauth_account_suspended', 'suspended', false],
    ['cannot_link_more_of_type', 'onlyOne', false],
    ['oauth_unexpected', 'unexpected', false],
    ['pkce_state_code_mismatch', 'phishing', false],
    ['internal_error', 'unexpected', false],
  ]
  test.each(table)('%s is told as "%s"', async (code, text, isRetryable) => {
    const { fixture, press, answer, awaiting } = await open({
      answers: {
        loginWithOAuth: () => {
          throw refused(code, 400)
        },
      },
    })
    await press('google')
    await answer(0, completed)
    expect(awaiting()).toEqual({ provider: 'google', status: 'failed', text, isRetryable })
    expect(fixture.events.includes('possible_phishing_attempt')).toBe(code === 'pkce_state_code_mismatch')
  })

  // spec L5.21
  test('a state that is not the one of this login is a phishing attempt, and its code is not used', async () => {
    const { fixture, press, answer, awaiting } = await open()
    await press('google')
    await answer(0, () => completed('of another login'))
    expect(awaiting()).toMatchObject({ status: 'failed', text: 'phishing', isRetryable: false })
    expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    expect(fixture.events).toContain('possible_phishing_attempt')
    await fixture.press('AWAITING_OAUTH_SCREEN', 'leave')
    expect(fixture.screen()).toBe('LANDING')
  })
})

describe('in a browser inside of an app', () => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/470.0]'

  // spec L2.42, L2.43
  test('Google is told to be impossible without a window, and the others are tried', async () => {
    const { fixture, browser, press } = await open({ userAgent })
    await press('google')
    expect(fixture.state('IN_APP_BROWSER_LOGIN_NOT_POSSIBLE')).toEqual({ provider: 'google' })
    expect(browser.windows).toEqual([])
    await fixture.press('IN_APP_BROWSER_LOGIN_NOT_POSSIBLE', 'leave')
    expect(fixture.screen()).toBe('LANDING')
    await press('apple')
    expect(fixture.screen()).toBe('AWAITING_OAUTH_SCREEN')
    expect(browser.windows).toHaveLength(1)
  })
})

describe('where the app asks for a captcha', () => {
  // spec L4.13, L7.30
  test('it comes first and takes the click, so a button opens the window, with its token', async () => {
    const { browser, relay, captcha, login, press, answer, awaiting, fixture } = await open({
      hasCaptcha: true,
    })
    await press('google')
    expect(captcha.asked).toHaveLength(1)
    expect(browser.windows).toEqual([])
    expect(relay.begun).toEqual([])
    await captcha.decide({ token: 'first' })
    expect(awaiting()).toEqual({ provider: 'google', status: 'verifying', window: 'to open' })
    expect(browser.windows).toEqual([])
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(browser.windows).toHaveLength(1)
    expect(relay.begun).toMatchObject([{ provider: 'google', token: 'first' }])
    await answer(0, completed)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    expect(captcha.asked).toEqual([])
  })

  // spec L4.17, L8.1
  test('and the server refuses its token, another try has a new one', async () => {
    const { captcha, press, fixture } = await open({
      hasCaptcha: true,
      answers: {
        startOAuth: () => {
          throw refused('invalid_captcha', 400)
        },
      },
    })
    await press('google')
    await captcha.decide({ token: 'stale' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Something went wrong', 'Please try again.']))
    await fixture.back()
    await press('google')
    expect(captcha.asked).toHaveLength(1)
  })

  test('a button that waits for longer than its token lives leads to another captcha', async () => {
    const { relay, captcha, press, fixture } = await open({ hasCaptcha: true })
    await press('google')
    await captcha.decide({ token: 'first' })
    await fixture.clock.advance(240_000)
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(relay.begun).toEqual([])
    expect(captcha.asked).toHaveLength(1)
    await captcha.decide({ token: 'second' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(relay.begun).toMatchObject([{ token: 'second' }])
  })

  test('each try has one of its own, and who goes back from it opens nothing', async () => {
    const { browser, relay, captcha, press, answer, awaiting, fixture } = await open({ hasCaptcha: true })
    await press('google')
    await captcha.decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    await press('google')
    await captcha.decide({ token: 'first' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    await answer(0, failed('oauth_user_denied'))
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(browser.windows).toHaveLength(1)
    await captcha.decide(undefined)
    expect(awaiting()).toMatchObject({ status: 'failed' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    await captcha.decide({ token: 'second' })
    expect(awaiting()).toMatchObject({ window: 'to open' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
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
    return { fixture, browser, relay, captcha, linked, press: () => fixture.enter(0, 'press') }
  }

  test('is begun by the one button, and the host hears of the account', async () => {
    const { fixture, browser, relay, linked, press } = await link({
      linkOAuth: () => ({ ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, google] }),
    })
    expect(fixture.entryStates()).toEqual([{ provider: 'google', isAlone: true }])
    expect(browser.windows).toEqual([])
    await press()
    await relay.settle(browser, 0, completed)
    expect(fixture.transport.calls('linkOAuth')[0]?.body).toMatchObject({ authorizationCode: 'code-1' })
    expect(fixture.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ status: 'success' })
    expect(linked.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, { type: 'google_oauth', subject: '1091' }] },
    })
  })

  // spec L4.15
  test('starts with the token of a captcha, although the user is logged in', async () => {
    const { fixture, relay, captcha, press } = await link({}, true)
    await press()
    expect(captcha.asked).toHaveLength(1)
    expect(relay.begun).toEqual([])
    await captcha.decide({ token: 'passed' })
    await fixture.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(relay.begun).toMatchObject([{ provider: 'google', token: 'passed' }])
  })

  // spec L8.35
  test('of an account of somebody else says so, and the host hears it when the user leaves', async () => {
    const { fixture, browser, relay, linked, press } = await link({
      linkOAuth: () => {
        throw new LatchkeyError('linked_to_another_user', 'Taken')
      },
    })
    await press()
    await relay.settle(browser, 0, completed)
    expect(fixture.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ status: 'failed', text: 'linked' })
    expect(linked.settled).toBe(false)
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test('is undone for the subject that the host names', async () => {
    const both = { ...walletUser, linkedAccounts: [...visitorUser.linkedAccounts, google] }
    const fixture = await makeFixture({ answers: { unlinkOAuth: () => visitorUser }, app })
    fixture.session.accept(makeAuthAnswer({ user: both }))
    const unlinked = watch(fixture.unlink('google', '1091'))
    await settle()
    await fixture.press('UNLINK_SCREEN', 'unlink')
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

  async function start(answers: Answers) {
    const relay = makeRelay()
    const browser = makeFakeBrowser()
    const fixture = await makeFixture({
      answers: { ...relay.answers, ...answers },
      app: { emailAuth: false, [`${provider}Oauth`]: true },
      capabilities: capabilitiesIn(browser),
    })
    const press = async () => {
      await fixture.enter(0, 'press')
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
    expect(fixture.entryStates()).toEqual([{ provider, isAlone: false }])
    await press()
    expect(fixture.transport.calls('loginWithOAuth')).toHaveLength(1)
    expect(login.value).toMatchObject({ loginMethod: provider, loginAccount: own })
  })

  test('is linked by a user', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, own]
    const { fixture, press } = await start({ linkOAuth: () => ({ ...visitorUser, linkedAccounts }) })
    fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    const linked = watch(fixture.link(provider))
    await settle()
    await press()
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
