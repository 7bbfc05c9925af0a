/** Passkeys in a browser that forbids them in frames: the card, and its separate window. */
import { createHash } from 'node:crypto'
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { PasskeyAnswer, passkeyWindowRoutes, RouteBody } from '@latchkey/protocol/api'
import { getByRole } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { type Authenticator, FrameRefused } from '../../webauthn/authenticator.ts'
import { assertion, attestation } from '../../webauthn/testing.ts'
import { windowFacts } from '../../window-login/testing/window-login.facts.ts'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilities } from '../index.ts'
import { passkeyBy } from './passkey.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const owner: UserRecord = {
  ...visitorUser,
  linkedAccounts: [
    { type: 'email', address: 'ada@example.com', ...times },
    { type: 'passkey', credentialId: 'Zmlyc3Q', enrolledInMfa: false, ...times },
  ],
}
const relyingParty = 'dialog.localhost'
const loginOptions = { challenge: 'bG9naW4', rpId: relyingParty, allowCredentials: [] }
const linkOptions = {
  rp: { name: 'Demo', id: relyingParty },
  user: { id: 'dXNlcg', name: 'Ada', displayName: 'Ada' },
  challenge: 'bGluaw',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
}

const toOpen = 'Your browser asks for this passkey in a separate window.'
const waiting = 'This continues as soon as you have used your passkey there.'
const blocked = 'If you don’t see the window, your browser may have blocked it. Open it here.'
const rejectedOnLink = 'Passkey request timed out or rejected by user.'
const firstOne = 'You will have to sign up with another method first to register a passkey for your account.'
const rejected = `${rejectedOnLink} ${firstOne}`

type Begun = RouteBody<typeof passkeyWindowRoutes.beginPasskeyWindow>
type Key = RouteBody<typeof passkeyWindowRoutes.takePasskeyAnswer>

/** The server's results: each window, by its index, is pending until the test sets its result. */
function makeRelay() {
  const begun: Begun[] = []
  const taken: Key[] = []
  const pages = new Map<string, PromiseWithResolvers<PasskeyAnswer>>()
  const of = (handle: string) => {
    const found = pages.get(handle) ?? Promise.withResolvers<PasskeyAnswer>()
    pages.set(handle, found)
    return found
  }
  const answers: Answers = {
    beginPasskeyWindow: (body) => {
      begun.push(body)
      return {}
    },
    passkeyWindowStatus: ({ handle }) => of(handle).promise.then(() => ({ status: 'answered' })),
    takePasskeyAnswer: (key) => {
      taken.push(key)
      return of(key.handle).promise
    },
    closePasskeyWindow: () => ({}),
  }
  return {
    answers,
    begun,
    taken,
    async answer(answer: PasskeyAnswer, position = 0) {
      of(begun[position]?.relay.handle ?? '').resolve(answer)
      await settle()
    },
  }
}

const refusing: Authenticator = {
  get: () => Promise.reject(new FrameRefused()),
  create: () => Promise.reject(new FrameRefused()),
}

type Setup = { userAgent?: string; isBlocking?: boolean }

async function makeRefusedFixture(answers: Answers, { userAgent, isBlocking = false }: Setup = {}) {
  const relay = makeRelay()
  const browser = makeFakeBrowser(userAgent)
  browser.block(isBlocking)
  const own = passkeyBy(refusing, browser)
  const fixture = await makeFixture({
    answers: {
      beginPasskeyLogin: () => ({ relyingParty, options: loginOptions }),
      loginWithPasskey: () => makeAuthAnswer({ user: owner, isNewUser: false }),
      beginPasskeyLink: () => ({ relyingParty, options: linkOptions }),
      linkPasskey: () => owner,
      me: () => owner,
      ...relay.answers,
      ...answers,
    },
    app: { emailAuth: true, passkeyAuth: true },
    capabilities: capabilities.map((each) => (each.name === 'passkey' ? own : each)),
  })
  return { fixture, relay, browser }
}

async function openLanding(answers: Answers, setup: Setup = {}) {
  const made = await makeRefusedFixture(answers, setup)
  const login = watch(made.fixture.login())
  await settle()
  return { ...made, page: renderDialog(made.fixture), login }
}

async function logIn(answers: Answers = {}, setup: Setup = {}) {
  const made = await openLanding(answers, setup)
  await made.page.press('I have a passkey')
  return { ...made, openWindow: () => made.page.press('Continue') }
}

async function openList(answers: Answers = {}) {
  const made = await makeRefusedFixture(answers)
  await made.fixture.session.start()
  made.fixture.session.accept(makeAuthAnswer({ user: owner }))
  await settle()
  const linked = watch(made.fixture.link('passkey'))
  await settle()
  const page = renderDialog(made.fixture)
  await page.press('Add new passkey')
  return { ...made, page, linked }
}

windowFacts({
  provider: 'passkey',
  waitSeconds: 300,
  finish: 'loginWithPasskey',
  texts: {
    open: waiting,
    blocked,
    success: 'You are logged in.',
    late: rejected,
    declined: rejected,
  },
  openAnother: 'Open again',
  async open(answers = {}) {
    const { fixture, page, browser, relay, login } = await openLanding(answers)
    return {
      fixture,
      page,
      browser,
      login,
      async retry() {
        await page.press('Retry')
        await page.press('Continue')
      },
      async press() {
        await page.press('I have a passkey')
        await page.press('Continue')
      },
      answer: (position) => relay.answer({ type: 'get', assertion }, position),
      decline: (position) => relay.answer({ type: 'refused' }, position),
    }
  },
})

describe('a login whose frame is refused', () => {
  test('requests a press, which synchronously opens a page of our own', async () => {
    const { page, browser, relay } = await logIn()
    await page.see(toOpen)
    expect([browser.windows.length, relay.begun.length]).toEqual([0, 0])
    getByRole(document.body, 'button', { name: 'Continue' }).click()
    expect(browser.windows.map(({ address }) => address)).toEqual([
      expect.stringMatching(/^\/passkey\/start\/[\w-]{48}$/),
    ])
    await settle()
    const handle = browser.windows[0]?.address.split('/').at(-1)
    expect(relay.begun).toEqual([
      {
        ceremony: { type: 'get', options: loginOptions },
        relay: {
          handle,
          challenge: expect.stringMatching(/^[\w-]{43}$/),
          key: 'k'.repeat(87),
          origin: 'http://demo.localhost:4010',
        },
      },
    ])
    await page.see(waiting)
  })

  test('uses the answer of the window like one of the frame', async () => {
    const { fixture, openWindow, relay, login } = await logIn()
    await openWindow()
    await relay.answer({ type: 'get', assertion })
    const [key] = relay.taken
    expect(relay.taken).toHaveLength(1)
    expect(
      createHash('sha256')
        .update(key?.secret ?? '')
        .digest('base64url'),
    ).toBe(relay.begun[0]?.relay.challenge)
    expect(fixture.transport.calls('loginWithPasskey')[0]?.body).toMatchObject({
      relyingParty,
      challenge: 'bG9naW4',
      authenticatorResponse: assertion,
    })
    expect(login.value).toMatchObject({ loginMethod: 'passkey', user: { id: owner.id } })
    expect(fixture.transport.calls('closePasskeyWindow')).toEqual([])
  })

  test('offers another window if none opened', async () => {
    const { page, openWindow, browser, relay, login } = await logIn({}, { isBlocking: true })
    await openWindow()
    await page.see(blocked)
    browser.block(false)
    await page.press('Open again')
    await page.see(waiting)
    expect(new Set(browser.windows.map(({ address }) => address)).size).toBe(2)
    await relay.answer({ type: 'get', assertion }, 1)
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('still waits for a window that reads as closed', async () => {
    const { fixture, page, openWindow, browser, relay, login } = await logIn()
    await openWindow()
    browser.windows[0]?.closes()
    await fixture.clock.advance(10_000)
    expect(page.has(waiting)).toBe(true)
    await relay.answer({ type: 'get', assertion })
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('opens one window, however often its button is pressed', async () => {
    const { page, browser } = await logIn()
    await page.see(toOpen)
    const button = getByRole(document.body, 'button', { name: 'Continue' })
    button.click()
    button.click()
    await settle()
    expect(browser.windows).toHaveLength(1)
  })

  // spec L8.29
  test.each([
    ['whose user cancels in the window', { type: 'refused' }],
    ['that answers another ceremony', { type: 'create', attestation }],
  ] as const)('of a window %s shows that it was rejected', async (_which, answer) => {
    const { fixture, page, openWindow, relay } = await logIn()
    await openWindow()
    await relay.answer(answer)
    await page.see(rejected)
    expect(fixture.transport.calls('loginWithPasskey')).toEqual([])
  })

  test('shows a timeout if the server no longer knows the window', async () => {
    const { page, openWindow } = await logIn({
      passkeyWindowStatus: () => {
        throw refused('not_found', 404)
      },
    })
    await openWindow()
    await page.see(rejected)
  })

  test('shows an unknown error if the server refuses the window', async () => {
    const { page, openWindow } = await logIn({
      beginPasskeyWindow: () => {
        throw refused('disallowed_login_method', 403)
      },
    })
    await openWindow()
    await page.see(`An unknown error occurred. ${firstOne}`)
  })

  test.each(['Cancel', 'Back'])(
    'is left by %s, ignores a late answer, and can be repeated',
    async (button) => {
      const { page, openWindow, browser, relay, fixture, login } = await logIn()
      await openWindow()
      await page.press(button)
      await page.see(rejected)
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      expect(fixture.transport.calls('closePasskeyWindow').map(({ body }) => body)).toEqual([
        { handle: relay.begun[0]?.relay.handle, secret: expect.stringMatching(/^secret-/) },
      ])
      await relay.answer({ type: 'get', assertion })
      expect(relay.taken).toEqual([])
      await page.press('Retry')
      await page.see(toOpen)
      await openWindow()
      expect(relay.begun[0]?.relay.handle).not.toBe(relay.begun[1]?.relay.handle)
      await relay.answer({ type: 'get', assertion }, 1)
      expect(login.value).toMatchObject({ loginMethod: 'passkey' })
    },
  )

  test('explains in an app that its browser opens no windows', async () => {
    const { page, browser } = await logIn({}, { userAgent: 'Mozilla/5.0 iPhone FBAN/FBIOS' })
    await page.see('Open this page in your browser')
    await page.press('Go back')
    await page.see(rejected)
    expect(browser.windows).toEqual([])
  })
})

describe('a new passkey whose frame is refused', () => {
  test('is created in the window, and linked', async () => {
    const { fixture, page, relay, linked } = await openList()
    await page.press('Continue')
    expect(relay.begun[0]?.ceremony).toEqual({ type: 'create', options: linkOptions })
    await relay.answer({ type: 'create', attestation })
    expect(fixture.transport.calls('linkPasskey')[0]?.body).toEqual({
      relyingParty,
      authenticatorResponse: attestation,
    })
    expect(linked.value).toMatchObject({ user: { id: owner.id } })
  })

  test('is not created if its user leaves, and the list shows that', async () => {
    const { fixture, page, linked } = await openList()
    await page.press('Back')
    await page.see(rejectedOnLink)
    expect(page.hasButton('Add new passkey')).toBe(true)
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'passkey_not_allowed' })
  })
})

test('opens no window if the device itself refuses', async () => {
  const browser = makeFakeBrowser()
  const refusal = () => Promise.reject(new LatchkeyError('passkey_not_allowed', 'Rejected'))
  const own = passkeyBy({ get: refusal, create: refusal }, browser)
  const fixture = await makeFixture({
    answers: { beginPasskeyLogin: () => ({ relyingParty, options: loginOptions }) },
    app: { emailAuth: true, passkeyAuth: true },
    capabilities: capabilities.map((each) => (each.name === 'passkey' ? own : each)),
  })
  watch(fixture.login())
  await settle()
  const page = renderDialog(fixture)
  await page.press('I have a passkey')
  await page.see(rejected)
})
