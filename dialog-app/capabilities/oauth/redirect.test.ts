/** The page goes to the provider and comes back: a world before, and another one after, in the same browser. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { type Answers, makeBrowser, makeWorld } from '../../testing/world.ts'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { takesWholePage } from './oauth-login.ts'
import { capabilitiesIn } from './testing.ts'

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Mobile/15E148'
const address = 'https://host.example/notes?page=2'
const viewport = { heightPx: 700, offsetTopPx: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 }, address }
const startUrl = 'http://dialog.localhost:4000/oauth/start/handle'
const app = { emailAuth: false, googleOauth: true, appleOauth: true }

async function open(shared = makeBrowser(), answers: Answers = {}, userAgent = phone) {
  const browser = makeFakeBrowser(userAgent)
  const world = await makeWorld({
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
  Object.assign(world.settings(), { viewport })
  return { world, browser, shared }
}
type Opened = Awaited<ReturnType<typeof open>>

function stateOf({ world }: Opened): string {
  const [begun] = world.transport.calls('startOAuth')
  return String(Reflect.get(Object(begun?.body), 'stateCode'))
}

async function leave(opened: Opened) {
  void opened.world.login().catch(() => {})
  await settle()
  await opened.world.enter(1, 'press')
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
  opened.world.dialog.resume(parametersOf(code, state))
  for (let turn = 0; turn < 5; turn += 1) await settle()
  return opened
}

test.each([
  [phone, true],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile Safari/537.36', true],
  ['Mozilla/5.0 (Macintosh) FBAN/FBIOS', true],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140', false],
])('%s takes the whole page: %s', (userAgent, expected) => {
  expect(takesWholePage(userAgent)).toBe(expected)
})

describe('a login on a phone', () => {
  // spec L7.30, L2.41
  test('fills the start page, and then takes the whole page there, to come back to where it stands', async () => {
    const opened = await open()
    await leave(opened)
    const { world, browser } = opened
    expect(world.transport.calls('startOAuth').map(({ body }) => body)).toEqual([
      {
        provider: 'google',
        redirectTo: address,
        codeChallenge: expect.stringMatching(/^[\w-]{43}$/),
        stateCode: expect.any(String),
      },
    ])
    expect(browser.windows).toEqual([])
    expect(browser.pages).toEqual([startUrl])
    expect(world.state('AWAITING_OAUTH_SCREEN')).toEqual({
      provider: 'google',
      status: 'verifying',
      window: 'leaving',
    })
  })

  test('whose page stays offers a button after 4 s, which tries again', async () => {
    const opened = await open()
    await leave(opened)
    const { world, browser } = opened
    await world.clock.advance(3_999)
    expect(world.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ window: 'leaving' })
    await world.clock.advance(1)
    expect(world.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ window: 'to open' })
    await world.press('AWAITING_OAUTH_SCREEN', 'open')
    expect(browser.pages).toEqual([startUrl, startUrl])
  })

  test('that the user goes back from takes the page nowhere, and leaves what they do instead', async () => {
    let start = (_answer: { readonly url: string }) => {}
    const opened = await open(makeBrowser(), {
      startOAuth: () => new Promise((resolve) => (start = resolve)),
    })
    await leave(opened)
    const { world, browser } = opened
    await world.back()
    expect(world.screen()).toBe('LANDING')
    start({ url: startUrl })
    await settle()
    expect(browser.pages).toEqual([])
    expect(world.screen()).toBe('LANDING')
  })

  test('that the user turns from to another provider takes the page to that one alone', async () => {
    const starts: ((answer: { readonly url: string }) => void)[] = []
    const opened = await open(makeBrowser(), {
      startOAuth: () => new Promise((resolve) => starts.push(resolve)),
    })
    await leave(opened)
    const { world, browser } = opened
    await world.back()
    await world.enter(0, 'press')
    starts[0]?.({ url: `${startUrl}-left` })
    await settle()
    expect(browser.pages).toEqual([])
    starts[1]?.({ url: startUrl })
    await settle()
    expect(browser.pages).toEqual([startUrl])
  })

  test('that the server refuses takes the page nowhere', async () => {
    const opened = await open(makeBrowser(), {
      startOAuth: () => {
        throw new LatchkeyError('disallowed_login_method', 'Off')
      },
    })
    await leave(opened)
    expect(opened.browser.pages).toEqual([])
    expect(opened.world.screen()).not.toBe('LANDING')
  })

  test('opens a window where nothing says where the page stands', async () => {
    const opened = await open()
    Object.assign(opened.world.settings(), { viewport: undefined })
    await leave(opened)
    expect(opened.browser.windows).toHaveLength(1)
    expect(opened.browser.pages).toEqual([])
  })
})

describe('the page that is back', () => {
  // spec L2.8, L4.35
  test('goes on as if the provider was chosen just now, and logs in', async () => {
    const before = await open()
    const state = await leave(before)
    const { world } = await comeBack(before.shared, 'code-1', state)
    expect(world.transport.calls('loginWithOAuth').map(({ body }) => body)).toMatchObject([
      { authorizationCode: 'code-1', stateCode: state, codeVerifier: expect.any(String) },
    ])
    expect(world.session.state()).toMatchObject({ status: 'authenticated' })
    expect(world.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ status: 'success' })
    await world.clock.advance(1_400)
    expect(world.view()?.open).toBe(false)
  })

  // spec L8.37
  test('says what the provider said instead', async () => {
    for (const [code, text] of [
      ['undefined', 'denied'],
      ['error', 'unexpected'],
    ] as const) {
      const before = await open()
      const state = await leave(before)
      const { world } = await comeBack(before.shared, code, state)
      expect(world.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ status: 'failed', text })
      expect(world.transport.calls('loginWithOAuth')).toEqual([])
    }
  })

  test('takes the code of no other login', async () => {
    const before = await open()
    await leave(before)
    const { world } = await comeBack(before.shared, 'code-1', 'another')
    expect(world.state('AWAITING_OAUTH_SCREEN')).toMatchObject({ status: 'failed', text: 'phishing' })
    expect(world.transport.calls('loginWithOAuth')).toEqual([])
    expect(world.events).toContain('possible_phishing_attempt')
  })

  test('shows nothing of a login that this browser did not begin, has used, or began too long ago', async () => {
    const nobodys = await comeBack(makeBrowser(), 'code-1', 'state')
    expect(nobodys.world.view()?.open ?? false).toBe(false)

    const before = await open()
    const state = await leave(before)
    await comeBack(before.shared, 'code-1', state)
    const again = await comeBack(before.shared, 'code-1', state)
    expect(again.world.transport.calls('loginWithOAuth')).toEqual([])

    const early = await open()
    const old = await leave(early)
    await early.world.clock.advance(10 * 60_000)
    const late = await comeBack(early.shared, 'code-1', old)
    expect(late.world.transport.calls('loginWithOAuth')).toEqual([])
    expect(late.world.view()?.open ?? false).toBe(false)
  })

  test('is not logged in later by what came back when somebody was logged in', async () => {
    const before = await open()
    const state = await leave(before)
    const after = await open(before.shared)
    after.world.session.accept(makeAuthAnswer({ user: visitorUser }))
    after.world.dialog.resume(parametersOf('code-1', state))
    await settle()
    await settle()
    expect(after.world.transport.calls('loginWithOAuth')).toEqual([])
  })
})

test('a link comes back as a link', async () => {
  const shared = makeBrowser()
  const before = await open(shared)
  before.world.session.accept(makeAuthAnswer({ user: visitorUser }))
  void before.world.link('google').catch(() => {})
  await settle()
  const { entries } = before.world.state('LINK_ACCOUNT_SCREEN')
  entries[0]?.draw((_component, { send }) => Reflect.apply(send, undefined, ['press']))
  await settle()
  const after = await open(shared)
  after.world.session.accept(makeAuthAnswer({ user: visitorUser }))
  after.world.dialog.resume(parametersOf('code-1', stateOf(before)))
  for (let turn = 0; turn < 5; turn += 1) await settle()
  expect(after.world.transport.calls('linkOAuth')).toHaveLength(1)
  expect(after.world.transport.calls('loginWithOAuth')).toEqual([])
})

test('a user who goes to a provider again comes back to that, and the page hears what is handed out', async () => {
  const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
  const user = {
    ...visitorUser,
    linkedAccounts: [{ type: 'google_oauth' as const, subject: '1091', email: 'ada@example.com', ...times }],
  }
  const oauthTokens = { provider: 'google', accessToken: 'ya29' }
  const shared = makeBrowser()
  const openFor = async () => {
    const opened = await open(shared, { linkOAuth: () => ({ ...user, oauthTokens }), me: () => user })
    const { world } = opened
    Object.assign(world.settings(), { app: { ...world.settings().app, oauthTokensToHost: true } })
    world.session.accept(makeAuthAnswer({ user }))
    return opened
  }
  const before = await openFor()
  void before.world.more('reauthorize', { provider: 'google' }).catch(() => {})
  await settle()
  const { entries } = before.world.state('LINK_ACCOUNT_SCREEN')
  entries[0]?.draw((_component, { send }) => Reflect.apply(send, undefined, ['press']))
  await settle()
  const { world } = await openFor()
  world.dialog.resume(parametersOf('code-1', stateOf(before)))
  for (let turn = 0; turn < 5; turn += 1) await settle()
  expect(world.transport.calls('linkOAuth')[0]?.body).toMatchObject({ withTokens: true })
  expect(world.pageHeard).toMatchObject([{ name: 'oauthTokens', data: { tokens: oauthTokens } }])
})

// spec L3.23, L3.20
describe('Twitter on a phone', () => {
  test.each([
    [{}, {}, phone, false],
    [{}, {}, 'Chrome/140', true],
    [{ twitterOauthOnMobileEnabled: true }, {}, phone, true],
    [{}, { loginConfig: { twitterOAuthOnMobileEnabled: true } }, phone, true],
  ])('of an app with %o and a host with %o', async (ofApp, config, userAgent, isOffered) => {
    vi.stubGlobal('navigator', { userAgent })
    const world = await makeWorld({
      app: { emailAuth: false, googleOauth: true, twitterOauth: true, ...ofApp },
      config,
      capabilities: capabilitiesIn(makeFakeBrowser(userAgent)),
    })
    void world.login().catch(() => {})
    await settle()
    const providers = world
      .state('LANDING')
      .entries.map(({ state }) => Reflect.get(Object(state), 'provider'))
    expect(providers).toEqual(isOffered ? ['google', 'twitter'] : ['google'])
    vi.unstubAllGlobals()
  })
})
