/** The page goes to the provider and comes back: a fixture before, and another one after, in the same browser. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeBrowser, makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { takesWholePage } from './oauth-login.ts'
import { capabilitiesIn } from './testing.ts'

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Mobile/15E148'
const address = 'https://host.example/notes?page=2'
const startUrl = 'http://dialog.localhost:4000/oauth/start/handle'
const app = { emailAuth: false, googleOauth: true, appleOauth: true }

async function open(shared = makeBrowser(), answers: Answers = {}, userAgent = phone) {
  const browser = makeFakeBrowser(userAgent)
  const fixture = await makeFixture({
    browser: shared,
    answers: {
      startOAuth: () => ({ url: startUrl }),
      loginWithOAuth: () => makeAuthAnswer({ user: visitorUser }),
      linkOAuth: () => visitorUser,
      me: () => visitorUser,
      ...answers,
    },
    app,
    capabilities: capabilitiesIn(browser),
  })
  Object.assign(fixture.settings(), { pageAddress: address })
  return { fixture, page: renderDialog(fixture), browser, shared }
}
type Opened = Awaited<ReturnType<typeof open>>

function stateOf({ fixture }: Opened): string {
  const [begun] = fixture.transport.calls('startOAuth')
  return String(Reflect.get(Object(begun?.body), 'stateCode'))
}

async function leave(opened: Opened) {
  void opened.fixture.login().catch(() => {})
  await settle()
  await opened.page.press('Google')
  return stateOf(opened)
}

const parametersOf = (code: string, state: string) =>
  new URLSearchParams({
    latchkey_oauth_code: code,
    latchkey_oauth_state: state,
    latchkey_oauth_provider: 'google',
  })
async function comeBack(shared: Opened['shared'], code: string, state: string, answers: Answers = {}) {
  const opened = await open(shared, answers)
  opened.fixture.dialog.resume(parametersOf(code, state))
  await settle()
  return opened
}

test.each([
  [phone, true],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile Safari/537.36', true],
  ['Mozilla/5.0 (Macintosh) FBAN/FBIOS', true],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140', false],
])('%s redirects the whole page: %s', (userAgent, expected) => {
  expect(takesWholePage(userAgent)).toBe(expected)
})

describe('a login on a phone', () => {
  // spec L7.30, L2.41
  test('starts the login and redirects the whole page, with the host page as the redirect target', async () => {
    const opened = await open()
    await leave(opened)
    const { fixture, page, browser } = opened
    expect(fixture.transport.calls('startOAuth').map(({ body }) => body)).toEqual([
      {
        provider: 'google',
        redirectTo: address,
        codeChallenge: expect.stringMatching(/^[\w-]{43}$/),
        stateCode: expect.any(String),
      },
    ])
    expect(browser.windows).toEqual([])
    expect(browser.pages).toEqual([startUrl])
    await page.see('Google opens in this tab.')
  })

  test('offers a retry button if the page is still open after 4 s', async () => {
    const opened = await open()
    await leave(opened)
    const { fixture, page, browser } = opened
    await fixture.clock.advance(3_999)
    expect(page.has('Google opens in this tab.')).toBe(true)
    await fixture.clock.advance(1)
    await page.see('You continue at Google.')
    await page.press('Continue with Google')
    expect(browser.pages).toEqual([startUrl, startUrl])
  })

  test('does not redirect after the user went back, and stays on LANDING', async () => {
    let start = (_answer: { url: string }) => {}
    const opened = await open(makeBrowser(), {
      startOAuth: () => new Promise((resolve) => (start = resolve)),
    })
    await leave(opened)
    const { fixture, browser } = opened
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
    start({ url: startUrl })
    await settle()
    expect(browser.pages).toEqual([])
    expect(fixture.screen()).toBe('LANDING')
  })

  test('redirects only to the last provider that the user chose', async () => {
    const starts: ((answer: { url: string }) => void)[] = []
    const opened = await open(makeBrowser(), {
      startOAuth: () => new Promise((resolve) => starts.push(resolve)),
    })
    await leave(opened)
    const { fixture, page, browser } = opened
    await fixture.back()
    await page.press('Apple')
    starts[0]?.({ url: `${startUrl}-left` })
    await settle()
    expect(browser.pages).toEqual([])
    starts[1]?.({ url: startUrl })
    await settle()
    expect(browser.pages).toEqual([startUrl])
  })

  test('does not redirect if the server rejects the start', async () => {
    const opened = await open(makeBrowser(), {
      startOAuth: () => {
        throw new LatchkeyError('disallowed_login_method', 'Off')
      },
    })
    await leave(opened)
    expect(opened.browser.pages).toEqual([])
    expect(opened.fixture.screen()).not.toBe('LANDING')
  })

  test('opens a window if the address of the host page is unknown', async () => {
    const opened = await open()
    Object.assign(opened.fixture.settings(), { pageAddress: undefined })
    await leave(opened)
    expect(opened.browser.windows).toHaveLength(1)
    expect(opened.browser.pages).toEqual([])
  })
})

describe('the page after the redirect', () => {
  // spec L2.8, L4.35
  test('resumes the login, and logs the user in', async () => {
    const before = await open()
    const state = await leave(before)
    const { fixture, page } = await comeBack(before.shared, 'code-1', state)
    expect(fixture.transport.calls('loginWithOAuth').map(({ body }) => body)).toMatchObject([
      { authorizationCode: 'code-1', stateCode: state, codeVerifier: expect.any(String) },
    ])
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
    await page.see('Connected to Google')
    await fixture.clock.advance(1_400)
    expect(fixture.view()?.open).toBe(false)
  })

  // spec L8.37
  test('shows the error that came back in place of a code', async () => {
    for (const [code, text] of [
      ['undefined', 'Retry and check Google to finish connecting your account.'],
      ['error', 'Something went wrong. Please try again.'],
    ] as const) {
      const before = await open()
      const state = await leave(before)
      const { fixture, page } = await comeBack(before.shared, code, state)
      await page.see(text)
      expect(page.has('Authentication failed')).toBe(true)
      expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    }
  })

  test('rejects a code with the state of another login', async () => {
    const before = await open()
    await leave(before)
    const { fixture, page } = await comeBack(before.shared, 'code-1', 'another')
    await page.see('Unexpected auth flow. This may be a phishing attempt.')
    expect(fixture.transport.calls('loginWithOAuth')).toEqual([])
    expect(fixture.events).toContain('possible_phishing_attempt')
  })

  test('ignores a login that was started in another browser, already used, or expired', async () => {
    const nobodys = await comeBack(makeBrowser(), 'code-1', 'state')
    expect(nobodys.fixture.view()?.open ?? false).toBe(false)

    const before = await open()
    const state = await leave(before)
    await comeBack(before.shared, 'code-1', state)
    const again = await comeBack(before.shared, 'code-1', state)
    expect(again.fixture.transport.calls('loginWithOAuth')).toEqual([])

    const early = await open()
    const old = await leave(early)
    await early.fixture.clock.advance(10 * 60_000)
    const late = await comeBack(early.shared, 'code-1', old)
    expect(late.fixture.transport.calls('loginWithOAuth')).toEqual([])
    expect(late.fixture.view()?.open ?? false).toBe(false)
  })

  test('discards the result if a user is already logged in', async () => {
    const before = await open()
    const state = await leave(before)
    const after = await open(before.shared)
    after.fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    after.fixture.dialog.resume(parametersOf('code-1', state))
    await settle()
    await settle()
    expect(after.fixture.transport.calls('loginWithOAuth')).toEqual([])
  })
})

test('resumes a redirected link as a link, not as a login', async () => {
  const shared = makeBrowser()
  const before = await open(shared)
  before.fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
  void before.fixture.link('google').catch(() => {})
  await settle()
  await before.page.press('Continue with Google')
  const after = await open(shared)
  after.fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
  after.fixture.dialog.resume(parametersOf('code-1', stateOf(before)))
  await settle()
  expect(after.fixture.transport.calls('linkOAuth')).toHaveLength(1)
  expect(after.fixture.transport.calls('loginWithOAuth')).toEqual([])
})

test('resumes a redirected reauthorization, and passes the OAuth tokens to the host page', async () => {
  const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
  const user = {
    ...visitorUser,
    linkedAccounts: [{ type: 'google_oauth' as const, subject: '1091', email: 'ada@example.com', ...times }],
  }
  const oauthTokens = { provider: 'google', accessToken: 'ya29' }
  const shared = makeBrowser()
  const openFor = async () => {
    const opened = await open(shared, { linkOAuth: () => ({ ...user, oauthTokens }), me: () => user })
    const { fixture } = opened
    Object.assign(fixture.settings(), { app: { ...fixture.settings().app, oauthTokensToHost: true } })
    fixture.session.accept(makeAuthAnswer({ user }))
    return opened
  }
  const before = await openFor()
  void before.fixture.more('reauthorize', { provider: 'google' }).catch(() => {})
  await settle()
  await before.page.press('Continue with Google')
  const { fixture } = await openFor()
  fixture.dialog.resume(parametersOf('code-1', stateOf(before)))
  await settle()
  expect(fixture.transport.calls('linkOAuth')[0]?.body).toMatchObject({ withTokens: true })
  expect(fixture.pageHeard).toMatchObject([{ name: 'oauthTokens', data: { tokens: oauthTokens } }])
})

// spec L3.23, L3.20
describe('Twitter on a phone', () => {
  test.each([
    [{}, {}, phone, false],
    [{}, {}, 'Chrome/140', true],
    [{ twitterOauthOnMobileEnabled: true }, {}, phone, true],
    [{}, { loginConfig: { twitterOAuthOnMobileEnabled: true } }, phone, true],
  ])('is offered by app (%o) and host settings (%o)', async (ofApp, config, userAgent, isOffered) => {
    vi.stubGlobal('navigator', { userAgent })
    const fixture = await makeFixture({
      app: { emailAuth: false, googleOauth: true, twitterOauth: true, ...ofApp },
      config,
      capabilities: capabilitiesIn(makeFakeBrowser(userAgent)),
    })
    void fixture.login().catch(() => {})
    await settle()
    const page = renderDialog(fixture)
    await page.see('Google')
    expect(page.hasButton('X')).toBe(isOffered)
    vi.unstubAllGlobals()
  })
})
