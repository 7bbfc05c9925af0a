import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab, refused, watch } from '../testing/fixture.ts'
import {
  makeAuthAnswer,
  makeRefreshAnswer,
  makeToken,
  otherAppId,
  startSeconds,
  visitorUser,
} from '../testing/fixtures.ts'
import { lost, over, setUp, soon } from '../testing/session.ts'
import { noSession } from './kept-session.ts'

const noUser = { user: null, token: null, refreshToken: null, sessionUpdateAction: 'clear' } as const

describe('refresh', () => {
  // spec L4.5, L7.4
  test('sends the stored token and the refresh token, and stores what comes', async () => {
    const { session, keeper, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    const expired = makeToken({ exp: startSeconds - 10 })
    keeper.write({ ...noSession, accessToken: expired, refreshToken: 'refresh-1' })
    await session.start()
    expect(transport.sent).toEqual([
      { name: 'refreshSession', body: { refreshToken: 'refresh-1' }, token: expired },
    ])
    expect(keeper.read()).toMatchObject({ refreshToken: 'refresh-2' })
    expect(session.state()).toEqual({ status: 'authenticated', user: visitorUser })
  })

  // spec L4.6
  test('in cookie mode needs no stored refresh token', async () => {
    const marker = { isPresent: () => true, counter: () => 7, remove: () => {} }
    const { session, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer({ refreshToken: null }) },
      { mode: 'cookie', marker },
    )
    await session.start()
    expect(transport.sent).toEqual([{ name: 'refreshSession', body: {}, token: null }])
    expect(session.state().status).toBe('authenticated')
  })

  test('in cookie mode leaves a token from before aside where there is a cookie', async () => {
    const marker = { isPresent: () => true, counter: () => 7, remove: () => {} }
    const { session, keeper, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer({ refreshToken: null }) },
      { mode: 'cookie', marker },
    )
    keeper.write({ ...noSession, refreshToken: 'from-before' })
    await session.start()
    expect(transport.sent.map(({ body }) => body)).toEqual([{}])
  })

  test('in cookie mode a browser without the marker is a visitor, and nobody is asked', async () => {
    const { session, transport } = setUp({}, { mode: 'cookie' })
    await session.start()
    expect(session.state().status).toBe('visitor')
    expect(transport.sent).toEqual([])
  })

  // spec L4.7, L7.5
  test('uses a forked token where there is nothing else, and once', async () => {
    const { session, keeper, transport } = setUp({ recoverFork: () => makeRefreshAnswer() })
    keeper.write({ ...keeper.read(), forkedToken: '1.session.0.fork' })
    await session.start()
    expect(transport.sent).toEqual([
      { name: 'recoverFork', body: { refreshToken: '1.session.0.fork' }, token: null },
    ])
    expect(transport.signals).toEqual([expect.any(AbortSignal)])
    expect(keeper.read()).toMatchObject({ forkedToken: null, refreshToken: 'refresh-2' })
  })

  // spec L4.7
  test('does not touch a forked token while there are normal credentials', async () => {
    const { session, keeper, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, refreshToken: 'refresh-1', forkedToken: '1.session.0.fork' })
    await session.start()
    expect(transport.sent.map((call) => call.name)).toEqual(['refreshSession'])
  })

  // spec L4.8
  test('that fails with missing_or_invalid_token clears the session and yields no user', async () => {
    const { session, keeper } = setUp({ refreshSession: over })
    keeper.write({ ...noSession, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(keeper.read()).toEqual(noSession)
  })

  test('that fails otherwise keeps the session, and the next one tries again', async () => {
    const answers: Answers = { refreshSession: lost }
    const { session, keeper } = setUp(answers)
    keeper.write({ ...noSession, refreshToken: 'refresh-1' })
    await expect(session.user()).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(keeper.read().refreshToken).toBe('refresh-1')
    answers.refreshSession = () => makeRefreshAnswer()
    expect(await session.user()).toEqual(visitorUser)
  })

  test('answered in the logged-out form makes a visitor', async () => {
    const { session, keeper } = setUp({ refreshSession: () => noUser })
    keeper.write({ ...noSession, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(keeper.read()).toEqual(noSession)
  })

  test('asked for by many at once happens once', async () => {
    const { session, keeper, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    await Promise.all([session.activeToken(), session.hostToken(), session.activeToken(), session.start()])
    expect(transport.calls('refreshSession')).toHaveLength(1)
  })

  test('of two tabs happens once: the second takes what the first got', async () => {
    const { session, keeper, transport, anotherTab } = setUp({ refreshSession: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    const other = anotherTab()
    const [first, second] = await Promise.all([session.activeToken(), other.session.activeToken()])
    expect(transport.calls('refreshSession')).toHaveLength(1)
    expect(second).toBe(first)
  })

  test('of two tabs that start at once happens once, and both know the user', async () => {
    const { session, keeper, transport, anotherTab } = setUp({
      refreshSession: () => makeRefreshAnswer(),
      me: () => visitorUser,
    })
    keeper.write({ ...noSession, refreshToken: 'refresh-1' })
    const other = anotherTab()
    expect(await Promise.all([session.user(), other.session.user()])).toEqual([visitorUser, visitorUser])
    expect(transport.calls('refreshSession')).toHaveLength(1)
  })

  test('that needs a key which this browser does not give says so, and holds no other tab up', async () => {
    const unavailable = refused('session_storage_unavailable', 0)
    const { session, keeper, browser, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer() },
      { prepareProofs: () => Promise.reject(unavailable) },
    )
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    await expect(session.activeToken()).rejects.toBe(unavailable)
    const hung = makeTab(browser, transport, { prepareProofs: () => new Promise(() => {}) })
    const waiting = watch(hung.session.activeToken())
    const other = makeTab(browser, transport)
    expect(await other.session.activeToken()).toBe(makeRefreshAnswer().token)
    expect(waiting.settled).toBe(false)
  })

  test('goes on as long as one of those who asked is there, and ends with the last', async () => {
    const { session, keeper, transport } = setUp({ refreshSession: () => new Promise(() => {}) })
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
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

  test('that comes back after a logout does not log in again', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>()
    const { session, keeper } = setUp({
      refreshSession: () => promise,
      logout: () => ({ success: true }),
    })
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    const asking = session.activeToken()
    await settle()
    await session.logout()
    resolve(makeRefreshAnswer())
    expect(await asking).toBeNull()
    expect(keeper.read()).toEqual(noSession)
    expect(session.state().status).toBe('visitor')
  })
})

describe('an access token', () => {
  // spec L9.2
  test.each([
    [31, 0],
    [30, 1],
    [29, 1],
  ])('with %i s left leads to %i refreshes', async (left, refreshes) => {
    const { session, keeper, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, accessToken: soon(left), refreshToken: 'refresh-1' })
    await session.activeToken()
    expect(transport.calls('refreshSession')).toHaveLength(refreshes)
  })

  // spec L4.9
  test('of another app logs the user out', async () => {
    const { session, keeper, transport } = setUp({ logout: () => ({ success: true }) })
    const foreign = makeToken({ aud: otherAppId })
    keeper.write({ ...noSession, accessToken: foreign, refreshToken: 'refresh-1' })
    expect(await session.user()).toBeNull()
    expect(keeper.read()).toEqual(noSession)
    expect(transport.sent).toEqual([{ name: 'logout', body: { refreshToken: 'refresh-1' }, token: foreign }])
  })

  // spec L4.9
  test('of another app in an answer logs the user out too', async () => {
    const { session, keeper } = setUp({ logout: () => ({ success: true }) })
    const accept = () => session.accept(makeAuthAnswer({ token: makeToken({ aud: otherAppId }) }))
    expect(accept).toThrow(expect.objectContaining({ code: 'missing_or_invalid_token' }))
    expect(keeper.read()).toEqual(noSession)
  })
})

describe('the token for the host', () => {
  // spec L7.46
  test('is none for a visitor', async () => {
    const { session, transport } = setUp()
    expect(await session.hostToken()).toBeNull()
    expect(transport.sent).toEqual([])
  })

  // spec L7.46
  test('is the host token, never the one of the dialog, and says how long it lives', async () => {
    const { session } = setUp()
    const hostToken = makeToken({ jti: 'host', exp: startSeconds + 600 })
    session.accept(makeAuthAnswer({ hostToken }))
    expect(await session.hostToken()).toEqual({ token: hostToken, expiresInSeconds: 600 })
  })

  test('lives by the time of the server, whatever the clock of this browser says', async () => {
    const browser = makeBrowser()
    browser.store.write('latchkey:lkdemo0000000000000000001:clock-offset', '-3600000')
    const { session } = makeTab(browser, makeFakeTransport({}))
    const hostToken = makeToken({ jti: 'host', exp: startSeconds - 3_600 + 600 })
    session.accept(makeAuthAnswer({ hostToken }))
    await browser.clock.advance(500)
    expect(await session.hostToken()).toEqual({ token: hostToken, expiresInSeconds: 599 })
  })

  // spec L7.46, L9.2
  test('is renewed first when it has 30 s or less left', async () => {
    const hostToken = makeToken({ jti: 'fresh' })
    const { session } = setUp({ refreshSession: () => makeRefreshAnswer({ hostToken }) })
    session.accept(makeAuthAnswer({ hostToken: soon(30) }))
    expect(await session.hostToken()).toMatchObject({ token: hostToken })
  })

  // spec L4.8, L7.46
  test('is none when the session turns out to be over', async () => {
    const { session } = setUp({ refreshSession: over })
    session.accept(makeAuthAnswer({ token: soon(5), hostToken: soon(5) }))
    expect(await session.hostToken()).toBeNull()
  })
})
