import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab, refused, watch } from '../testing/fixture.ts'
import {
  appId,
  makeAuthAnswer,
  makeRefreshAnswer,
  makeToken,
  otherAppId,
  startSeconds,
  visitorUser,
} from '../testing/fixtures.ts'
import { lost, over, setUp, soon } from '../testing/session.ts'
import { noSession } from './stored-session.ts'

const noUser = { user: null, token: null, refreshToken: null, sessionUpdateAction: 'clear' } as const

describe('session refresh', () => {
  // spec L4.5, L7.4
  test('sends the stored token and the refresh token, and stores the response', async () => {
    const { session, sessionStore, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    const expired = makeToken({ exp: startSeconds - 10 })
    sessionStore.write({ ...noSession, accessToken: expired, refreshToken: 'refresh-1' })
    await session.start()
    expect(transport.sent).toEqual([
      { name: 'refreshSession', body: { refreshToken: 'refresh-1' }, token: expired },
    ])
    expect(sessionStore.read()).toMatchObject({ refreshToken: 'refresh-2' })
    expect(session.state()).toEqual({ status: 'authenticated', user: visitorUser })
  })

  // spec L4.6
  test('needs no stored refresh token in cookie mode', async () => {
    const marker = { isPresent: () => true, counter: () => 7, remove: () => {} }
    const { session, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer({ refreshToken: null }) },
      { mode: 'cookie', marker },
    )
    await session.start()
    expect(transport.sent).toEqual([{ name: 'refreshSession', body: {}, token: null }])
    expect(session.state().status).toBe('authenticated')
  })

  test('ignores an older stored token in cookie mode if there is a cookie', async () => {
    const marker = { isPresent: () => true, counter: () => 7, remove: () => {} }
    const { session, sessionStore, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer({ refreshToken: null }) },
      { mode: 'cookie', marker },
    )
    sessionStore.write({ ...noSession, refreshToken: 'from-before' })
    await session.start()
    expect(transport.sent.map(({ body }) => body)).toEqual([{}])
  })

  test('sends no request in cookie mode without the marker', async () => {
    const { session, transport } = setUp({}, { mode: 'cookie' })
    await session.start()
    expect(session.state().status).toBe('visitor')
    expect(transport.sent).toEqual([])
  })

  // spec L4.7, L7.5
  test('uses a forked token once, if there is no other', async () => {
    const { session, sessionStore, transport } = setUp({ recoverFork: () => makeRefreshAnswer() })
    sessionStore.write({ ...sessionStore.read(), forkedToken: '1.session.0.fork' })
    await session.start()
    expect(transport.sent).toEqual([
      { name: 'recoverFork', body: { refreshToken: '1.session.0.fork' }, token: null },
    ])
    expect(transport.signals).toEqual([expect.any(AbortSignal)])
    expect(sessionStore.read()).toMatchObject({ forkedToken: null, refreshToken: 'refresh-2' })
  })

  // spec L4.7
  test('keeps a forked token while normal credentials exist', async () => {
    const { session, sessionStore, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1', forkedToken: '1.session.0.fork' })
    await session.start()
    expect(transport.sent.map((call) => call.name)).toEqual(['refreshSession'])
  })

  // spec L4.8
  test('clears the session and returns no user after missing_or_invalid_token', async () => {
    const { session, sessionStore } = setUp({ refreshSession: over })
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(sessionStore.read()).toEqual(noSession)
  })

  test('keeps the session after any other error, and retries next time', async () => {
    const answers: Answers = { refreshSession: lost }
    const { session, sessionStore } = setUp(answers)
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1' })
    await expect(session.user()).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(sessionStore.read().refreshToken).toBe('refresh-1')
    answers.refreshSession = () => makeRefreshAnswer()
    expect(await session.user()).toEqual(visitorUser)
  })

  test('becomes a visitor after a logged-out response', async () => {
    const { session, sessionStore } = setUp({ refreshSession: () => noUser })
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(sessionStore.read()).toEqual(noSession)
  })

  test('sends one request for many callers at once', async () => {
    const { session, sessionStore, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    await Promise.all([session.activeToken(), session.hostToken(), session.activeToken(), session.start()])
    expect(transport.calls('refreshSession')).toHaveLength(1)
  })

  test('sends one request for two tabs: the second uses the tokens of the first', async () => {
    const { session, sessionStore, transport, anotherTab } = setUp({
      refreshSession: () => makeRefreshAnswer(),
    })
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    const other = anotherTab()
    const [first, second] = await Promise.all([session.activeToken(), other.session.activeToken()])
    expect(transport.calls('refreshSession')).toHaveLength(1)
    expect(second).toBe(first)
  })

  test('sends one request for two tabs that start at once, and both get the user', async () => {
    const { session, sessionStore, transport, anotherTab } = setUp({
      refreshSession: () => makeRefreshAnswer(),
      me: () => visitorUser,
    })
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1' })
    const other = anotherTab()
    expect(await Promise.all([session.user(), other.session.user()])).toEqual([visitorUser, visitorUser])
    expect(transport.calls('refreshSession')).toHaveLength(1)
  })

  test('rejects without blocking other tabs if the browser withholds the proof key', async () => {
    const unavailable = refused('session_storage_unavailable', 0)
    const { session, sessionStore, browser, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer() },
      { prepareProofs: () => Promise.reject(unavailable) },
    )
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    await expect(session.activeToken()).rejects.toBe(unavailable)
    const hung = makeTab(browser, transport, { prepareProofs: () => new Promise(() => {}) })
    const waiting = watch(hung.session.activeToken())
    const other = makeTab(browser, transport)
    expect(await other.session.activeToken()).toBe(makeRefreshAnswer().token)
    expect(waiting.settled).toBe(false)
  })

  test('continues while one caller waits, and ends with the last', async () => {
    const { session, sessionStore, transport } = setUp({ refreshSession: () => new Promise(() => {}) })
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    const callers = [new AbortController(), new AbortController()]
    const asked = callers.map((caller) => watch(session.activeToken(caller)))
    await settle()
    const gone = refused('call_cancelled', 0)
    callers[0]?.abort(gone)
    await settle()
    expect(asked.map(({ error }) => error)).toEqual([gone, undefined])
    const [signal] = transport.signals
    expect(signal?.aborted).toBe(false)
    callers[1]?.abort(gone)
    expect(signal?.aborted).toBe(true)
  })

  test('does not log in again if its response arrives after a logout', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>()
    const { session, sessionStore } = setUp({
      refreshSession: () => promise,
      logout: () => ({ success: true }),
    })
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    const asking = session.activeToken()
    await settle()
    await session.logout()
    resolve(makeRefreshAnswer())
    expect(await asking).toBeNull()
    expect(sessionStore.read()).toEqual(noSession)
    expect(session.state().status).toBe('visitor')
  })
})

describe('access token', () => {
  // spec L9.2
  test.each([
    [31, 0],
    [30, 1],
    [29, 1],
  ])('with %i s left causes %i refreshes', async (left, refreshes) => {
    const { session, sessionStore, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    sessionStore.write({ ...noSession, accessToken: soon(left), refreshToken: 'refresh-1' })
    await session.activeToken()
    expect(transport.calls('refreshSession')).toHaveLength(refreshes)
  })

  // spec L4.9
  test('logs the user out if it belongs to another app', async () => {
    const { session, sessionStore, transport } = setUp({ logout: () => ({ success: true }) })
    const foreign = makeToken({ client_id: otherAppId })
    sessionStore.write({ ...noSession, accessToken: foreign, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(sessionStore.read()).toEqual(noSession)
    expect(transport.sent).toEqual([{ name: 'logout', body: { refreshToken: 'refresh-1' }, token: foreign }])
  })

  // Delete with `server/kernel/keys/untyped-tokens.ts`.
  test.each([
    ['keeps the user logged in', appId, visitorUser.id],
    ['logs the user out if it belongs to another app', otherAppId, undefined],
  ])('of release 0.1.0, which names the app in its audience, %s', async (_what, aud, userId) => {
    const { session, sessionStore } = setUp({ logout: () => ({ success: true }), me: () => visitorUser })
    const untyped = makeToken({ aud, client_id: undefined })
    sessionStore.write({ ...noSession, accessToken: untyped, refreshToken: 'refresh-1' })
    expect((await session.user())?.id).toBe(userId)
  })

  // spec L4.9
  test('logs the user out if a response contains a token of another app', async () => {
    const { session, sessionStore } = setUp({ logout: () => ({ success: true }) })
    const accept = () => session.accept(makeAuthAnswer({ token: makeToken({ client_id: otherAppId }) }))
    expect(accept).toThrow(expect.objectContaining({ code: 'missing_or_invalid_token' }))
    expect(sessionStore.read()).toEqual(noSession)
  })
})

describe('host token', () => {
  // spec L7.46
  test('is null for a visitor', async () => {
    const { session, transport } = setUp()
    expect(await session.hostToken()).toBeNull()
    expect(transport.sent).toEqual([])
  })

  // spec L7.46
  test('is returned with its lifetime, never the dialog token', async () => {
    const { session } = setUp()
    const hostToken = makeToken({ jti: 'host', exp: startSeconds + 600 })
    session.accept(makeAuthAnswer({ hostToken }))
    expect(await session.hostToken()).toEqual({ token: hostToken, expiresInSeconds: 600 })
  })

  test("expires by server time, not by the browser's clock", async () => {
    const browser = makeBrowser()
    browser.store.write('latchkey:lkdemo0000000000000000001:clock-offset', '-3600000')
    const { session } = makeTab(browser, makeFakeTransport({}))
    const hostToken = makeToken({ jti: 'host', exp: startSeconds - 3_600 + 600 })
    session.accept(makeAuthAnswer({ hostToken }))
    await browser.clock.advance(500)
    expect(await session.hostToken()).toEqual({ token: hostToken, expiresInSeconds: 599 })
  })

  // spec L7.46, L9.2
  test('is refreshed first if it has 30 s or less left', async () => {
    const hostToken = makeToken({ jti: 'fresh' })
    const { session } = setUp({ refreshSession: () => makeRefreshAnswer({ hostToken }) })
    session.accept(makeAuthAnswer({ hostToken: soon(30) }))
    expect(await session.hostToken()).toMatchObject({ token: hostToken })
  })

  // spec L4.8, L7.46
  test('is null if the session turns out to be over', async () => {
    const { session } = setUp({ refreshSession: over })
    session.accept(makeAuthAnswer({ token: soon(5), hostToken: soon(5) }))
    expect(await session.hostToken()).toBeNull()
  })
})
