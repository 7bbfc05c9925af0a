/** A browser that lets no frame ask for passkeys: the card, while a window of its own does. */
import { createHash } from 'node:crypto'
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type {
  Assertion,
  Attestation,
  PasskeyAnswer,
  passkeyWindowRoutes,
  RouteBody,
} from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { type Authenticator, FrameRefused } from '../../webauthn/authenticator.ts'
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
const assertion: Assertion = {
  id: 'Zmlyc3Q',
  rawId: 'Zmlyc3Q',
  response: { clientDataJson: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2ln' },
  clientExtensionResults: {},
  type: 'public-key',
}
const attestation: Attestation = {
  id: 'bmV3',
  rawId: 'bmV3',
  response: { clientDataJson: 'Y2xpZW50', attestationObject: 'b2JqZWN0' },
  clientExtensionResults: {},
  type: 'public-key',
}

const WINDOW = 'PASSKEY_WINDOW_SCREEN'
const DIALOGUE = 'AWAITING_PASSKEY_SYSTEM_DIALOGUE'
const rejected =
  'Passkey request timed out or rejected by user. You will have to sign up with another method first to register a passkey for your account.'
const notAllowed = { status: 'error', problem: 'notAllowed' }

type Begun = RouteBody<typeof passkeyWindowRoutes.beginPasskeyWindow>
type Key = RouteBody<typeof passkeyWindowRoutes.takePasskeyAnswer>

/** The server's side: pending until the test says what the page of a window answered, by its place. */
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
  return { ...made, login }
}

async function logIn(answers: Answers = {}, setup: Setup = {}) {
  const made = await openLanding(answers, setup)
  await made.fixture.enter(1, 'choose')
  await settle()
  return made
}

async function openList(answers: Answers = {}) {
  const made = await makeRefusedFixture(answers)
  await made.fixture.session.start()
  made.fixture.session.accept(makeAuthAnswer({ user: owner }))
  await settle()
  const linked = watch(made.fixture.link('passkey'))
  await settle()
  await made.fixture.press('LINK_PASSKEY_SCREEN', 'add')
  await settle()
  return { ...made, linked }
}

windowFacts({
  provider: 'passkey',
  waitSeconds: 300,
  finish: 'loginWithPasskey',
  texts: {
    open: 'This continues as soon as you have used your passkey there.',
    blocked: 'If you don’t see the window, your browser may have blocked it. Open it here.',
    success: 'You are logged in.',
    late: rejected,
    declined: rejected,
  },
  openAnother: 'Open again',
  async open(answers = {}) {
    const { fixture, browser, relay, login } = await openLanding(answers)
    const page = renderDialog(fixture)
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
  test('asks for a press, which opens a page of our own before anything else is done', async () => {
    const { fixture, browser, relay } = await logIn()
    expect(fixture.state(WINDOW)).toEqual({ status: 'to open' })
    expect([browser.windows.length, relay.begun.length]).toEqual([0, 0])
    const pressed = fixture.press(WINDOW, 'open')
    expect(browser.windows.map(({ address }) => address)).toEqual([
      expect.stringMatching(/^\/passkey\/start\/[\w-]{48}$/),
    ])
    await pressed
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
    expect(fixture.state(WINDOW)).toEqual({ status: 'waiting', mayBeBlocked: false })
  })

  test('goes on with what the window answered as if the frame had', async () => {
    const { fixture, relay, login } = await logIn()
    await fixture.press(WINDOW, 'open')
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

  test('offers another window where none came', async () => {
    const { fixture, browser, relay, login } = await logIn({}, { isBlocking: true })
    await fixture.press(WINDOW, 'open')
    expect(fixture.state(WINDOW)).toEqual({ status: 'waiting', mayBeBlocked: true })
    browser.block(false)
    await fixture.press(WINDOW, 'again')
    expect(fixture.state(WINDOW)).toEqual({ status: 'waiting', mayBeBlocked: false })
    expect(new Set(browser.windows.map(({ address }) => address)).size).toBe(2)
    await relay.answer({ type: 'get', assertion }, 1)
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('does not mind a window that reads as closed', async () => {
    const { fixture, browser, relay, login } = await logIn()
    await fixture.press(WINDOW, 'open')
    browser.windows[0]?.closes()
    await fixture.clock.advance(10_000)
    expect(fixture.state(WINDOW)).toMatchObject({ status: 'waiting' })
    await relay.answer({ type: 'get', assertion })
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('opens one window, however often it is pressed', async () => {
    const { fixture, browser } = await logIn()
    await fixture.press(WINDOW, 'open')
    await fixture.press(WINDOW, 'open')
    expect(browser.windows).toHaveLength(1)
  })

  // spec L8.29
  test.each([
    ['whose user cancels in the window', { type: 'refused' }],
    ['that answers something else', { type: 'create', attestation }],
  ] as const)('of a window %s says that it was rejected', async (_which, answer) => {
    const { fixture, relay } = await logIn()
    await fixture.press(WINDOW, 'open')
    await relay.answer(answer)
    expect(fixture.state(DIALOGUE)).toEqual(notAllowed)
    expect(fixture.transport.calls('loginWithPasskey')).toEqual([])
  })

  test('says that it timed out where the server knows no more of the window', async () => {
    const { fixture } = await logIn({
      passkeyWindowStatus: () => {
        throw refused('not_found', 404)
      },
    })
    await fixture.press(WINDOW, 'open')
    expect(fixture.state(DIALOGUE)).toEqual(notAllowed)
  })

  test('says that the error is not known where the server refuses the window', async () => {
    const { fixture } = await logIn({
      beginPasskeyWindow: () => {
        throw refused('disallowed_login_method', 403)
      },
    })
    await fixture.press(WINDOW, 'open')
    expect(fixture.state(DIALOGUE)).toEqual({ status: 'error', problem: 'unknown' })
  })

  test.each(['leave', 'back'] as const)(
    'is left by %s, whatever comes later, and tried again',
    async (how) => {
      const { fixture, browser, relay, login } = await logIn()
      await fixture.press(WINDOW, 'open')
      await (how === 'leave' ? fixture.press(WINDOW, 'leave') : fixture.back())
      expect(fixture.state(DIALOGUE)).toEqual(notAllowed)
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      expect(fixture.transport.calls('closePasskeyWindow').map(({ body }) => body)).toEqual([
        { handle: relay.begun[0]?.relay.handle, secret: expect.stringMatching(/^secret-/) },
      ])
      await relay.answer({ type: 'get', assertion })
      expect(relay.taken).toEqual([])
      await fixture.press(DIALOGUE, 'retry')
      await settle()
      expect(fixture.state(WINDOW)).toEqual({ status: 'to open' })
      await fixture.press(WINDOW, 'open')
      expect(relay.begun[0]?.relay.handle).not.toBe(relay.begun[1]?.relay.handle)
      await relay.answer({ type: 'get', assertion }, 1)
      expect(login.value).toMatchObject({ loginMethod: 'passkey' })
    },
  )

  test('says inside of an app that its browser opens no windows', async () => {
    const { fixture, browser } = await logIn({}, { userAgent: 'Mozilla/5.0 iPhone FBAN/FBIOS' })
    expect(fixture.state(WINDOW)).toEqual({ status: 'in-app' })
    await fixture.press(WINDOW, 'leave')
    expect(fixture.state(DIALOGUE)).toEqual(notAllowed)
    expect(browser.windows).toEqual([])
  })
})

describe('a new passkey whose frame is refused', () => {
  test('is made in the window, and linked', async () => {
    const { fixture, relay, linked } = await openList()
    await fixture.press(WINDOW, 'open')
    expect(relay.begun[0]?.ceremony).toEqual({ type: 'create', options: linkOptions })
    await relay.answer({ type: 'create', attestation })
    expect(fixture.transport.calls('linkPasskey')[0]?.body).toEqual({
      relyingParty,
      authenticatorResponse: attestation,
    })
    expect(linked.value).toMatchObject({ user: { id: owner.id } })
  })

  test('is not made where its user leaves, and the list says so', async () => {
    const { fixture, linked } = await openList()
    await fixture.press(WINDOW, 'leave')
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ problem: 'notAllowed', isAdding: false })
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'passkey_not_allowed' })
  })
})

test('a device that refuses by itself is asked in no window', async () => {
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
  await fixture.enter(1, 'choose')
  await settle()
  expect(fixture.state(DIALOGUE)).toEqual(notAllowed)
})
