import { sessionSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import {
  makeAuthAnswer,
  makeRefreshAnswer,
  makeToken,
  otherAppId,
  startSeconds,
  visitorUser,
} from '../testing/fixtures.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab, refused, watch } from '../testing/world.ts'
import { type KeptSession, noSession, updateSession } from './kept-session.ts'

const kept: KeptSession = {
  accessToken: 'access-0',
  refreshToken: 'refresh-0',
  forkedToken: null,
  hostToken: 'host-0',
  providerAccessTokens: { app: 'provider-0' },
}
const answer = { token: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' }
const soon = (seconds: number, jti = 'soon') => makeToken({ exp: startSeconds + seconds, jti })

function setUp(answers: Answers = {}, options: Parameters<typeof makeTab>[2] = {}) {
  const browser = makeBrowser()
  const transport = makeFakeTransport(answers)
  const tab = makeTab(browser, transport, options)
  return { browser, transport, ...tab, anotherTab: () => makeTab(browser, transport, options) }
}
const noUser = { user: null, token: null, refreshToken: null, sessionUpdateAction: 'clear' } as const
const over = () => {
  throw refused('missing_or_invalid_token', 401)
}
const lost = () => {
  throw refused('server_unreachable', 0)
}

describe('what an answer does to the kept session', () => {
  // spec L4.1
  test('set stores both tokens', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'set' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' })
  })
  // spec L4.2
  test('clear wipes everything', () => {
    expect(updateSession(kept, { ...answer, sessionUpdateAction: 'clear' }, 'storage')).toEqual(noSession)
  })
  // spec L4.3
  test('ignore stores the access token alone', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'ignore' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' })
  })
  // spec L4.3
  test('ignore stores nothing when no token is present', () => {
    const empty = { token: null, refreshToken: 'refresh-1', sessionUpdateAction: 'ignore' } as const
    expect(updateSession(kept, empty, 'storage')).toEqual(kept)
  })
  // spec L4.4
  test('an absent action stores both tokens', () => {
    expect(updateSession(kept, answer, 'storage')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
    })
  })
  // spec L7.27
  test('in cookie mode no refresh token is kept', () => {
    expect(updateSession(noSession, answer, 'cookie')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: null,
    })
  })
})

describe('the kept session', () => {
  // spec L3.5
  test('holds every token of a session of the protocol, under a name with the app id', () => {
    const { keeper, browser } = setUp()
    const session = { ...kept, forkedToken: 'fork-0' }
    keeper.write(session)
    const [[name, json] = ['', '']] = browser.store.entries
    expect(name).toMatch(/^latchkey:lkdemo0000000000000000001:/)
    expect(v.parse(sessionSchema, JSON.parse(json))).toEqual(v.parse(sessionSchema, session))
    expect(keeper.read()).toEqual(session)
  })

  test.each(['', '{', 'null', '[]', '{"accessToken":7}', '{"accessToken":"a"}'])(
    'is no session when %j is found in its place',
    (json) => {
      const { keeper, browser } = setUp()
      keeper.write(kept)
      const [name = ''] = browser.store.entries.keys()
      browser.store.entries.set(name, json)
      expect(keeper.read()).toEqual(noSession)
    },
  )

  test('says session_storage_unavailable when the browser keeps nothing', async () => {
    const { session, browser } = setUp()
    browser.store.breakDown()
    await expect(session.user()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
    await expect(session.hostToken()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
  })
})

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
    const marker = { isPresent: () => true, remove: () => {} }
    const { session, transport } = setUp(
      { refreshSession: () => makeRefreshAnswer({ refreshToken: null }) },
      { mode: 'cookie', marker },
    )
    await session.start()
    expect(transport.sent).toEqual([{ name: 'refreshSession', body: {}, token: null }])
    expect(session.state().status).toBe('authenticated')
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
    session.keepForkedToken('fork-1')
    await session.start()
    expect(transport.sent).toEqual([{ name: 'recoverFork', body: { refreshToken: 'fork-1' }, token: null }])
    expect(keeper.read()).toMatchObject({ forkedToken: null, refreshToken: 'refresh-2' })
  })

  // spec L4.7
  test('does not touch a forked token while there are normal credentials', async () => {
    const { session, keeper, transport } = setUp({ refreshSession: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, refreshToken: 'refresh-1', forkedToken: 'fork-1' })
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
  test('is the host token, never the one of the dialog, and says when it expires', async () => {
    const { session } = setUp()
    const hostToken = makeToken({ jti: 'host', exp: startSeconds + 600 })
    session.accept(makeAuthAnswer({ hostToken }))
    expect(await session.hostToken()).toEqual({ token: hostToken, expiresAt: startSeconds + 600 })
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

describe('logout', () => {
  // spec L4.10, L7.6
  test('tells the server, then clears what is kept', async () => {
    const { session, keeper, transport } = setUp({ logout: () => ({ success: true }) })
    session.accept(makeAuthAnswer())
    await session.logout()
    expect(transport.sent).toEqual([
      { name: 'logout', body: { refreshToken: 'refresh-1' }, token: makeToken() },
    ])
    expect(keeper.read()).toEqual(noSession)
    expect(session.state()).toEqual({ status: 'visitor' })
  })

  // spec L4.10
  test('clears what is kept when the call fails', async () => {
    const { session, keeper } = setUp({ logout: lost })
    session.accept(makeAuthAnswer())
    await session.logout()
    expect(keeper.read()).toEqual(noSession)
  })

  test('does not wait for ever for the server, and clears before', async () => {
    const { session, keeper, browser } = setUp({ logout: () => new Promise(() => {}) })
    session.accept(makeAuthAnswer())
    const leaving = watch(session.logout())
    await settle()
    expect(keeper.read()).toEqual(noSession)
    expect(leaving.settled).toBe(false)
    await browser.clock.advance(5_000)
    expect(leaving.settled).toBe(true)
  })

  test('in cookie mode removes the marker, so that nobody refreshes by the cookie', async () => {
    const marker = {
      present: true,
      isPresent: () => marker.present,
      remove() {
        marker.present = false
      },
    }
    const { session } = setUp({ logout: lost }, { mode: 'cookie', marker })
    session.accept(makeAuthAnswer({ refreshToken: null }))
    await session.logout()
    expect(session.hasCredentials()).toBe(false)
  })
})

// spec L7.7, L7.47
test('forkSession gives a forked token and keeps this session with its new refresh token', async () => {
  const { session, keeper, transport } = setUp({
    forkSession: () => ({ token: 'fork-access', refreshToken: 'fork', newSessionRefreshToken: 'refresh-2' }),
  })
  session.accept(makeAuthAnswer())
  expect(await session.fork()).toEqual({ token: 'fork-access', refreshToken: 'fork' })
  expect(transport.sent.at(-1)?.body).toEqual({ refreshToken: 'refresh-1' })
  expect(keeper.read()).toMatchObject({ refreshToken: 'refresh-2', accessToken: makeToken() })
})

test('a visitor can not fork', async () => {
  await expect(setUp().session.fork()).rejects.toMatchObject({ code: 'must_be_authenticated' })
})

describe('a one-use code from the URL', () => {
  // spec L2.9
  test('is exchanged and stored for a visitor', async () => {
    const { session, keeper, transport } = setUp({ redeemSessionCode: () => makeRefreshAnswer() })
    await session.start('one-use')
    expect(transport.sent).toEqual([{ name: 'redeemSessionCode', body: { code: 'one-use' }, token: null }])
    expect(keeper.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('is not even sent while a session is alive', async () => {
    const { session, keeper, transport } = setUp({ me: () => visitorUser })
    keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    await session.start('one-use')
    expect(transport.calls('redeemSessionCode')).toEqual([])
    expect(keeper.read().refreshToken).toBe('refresh-1')
  })

  test('takes the place of a session that turns out to be over', async () => {
    const { session, keeper } = setUp({ refreshSession: over, redeemSessionCode: () => makeRefreshAnswer() })
    keeper.write({ ...noSession, refreshToken: 'refresh-1' })
    await session.start('one-use')
    expect(keeper.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('does not replace a session that began while it was exchanged', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>()
    const { session, keeper } = setUp({ redeemSessionCode: () => promise })
    const starting = session.start('one-use')
    await settle()
    session.accept(makeAuthAnswer())
    resolve(makeRefreshAnswer())
    await starting
    expect(keeper.read().refreshToken).toBe('refresh-1')
  })

  test('that was used before leaves a visitor', async () => {
    const { session } = setUp({
      redeemSessionCode: () => {
        throw refused('token_already_used', 401)
      },
    })
    expect(await session.start('one-use')).toEqual({ status: 'visitor' })
  })
})

describe('a second tab', () => {
  test('learns of a login and of a logout', async () => {
    const { session, anotherTab } = setUp({ me: () => visitorUser, logout: () => ({ success: true }) })
    const other = anotherTab()
    const heard: string[] = []
    other.session.subscribe((state, _before, origin) => heard.push(`${state.status} ${origin}`))
    await other.session.start()
    session.accept(makeAuthAnswer())
    await settle()
    expect(other.session.state()).toEqual({ status: 'authenticated', user: visitorUser })
    await session.logout()
    await settle()
    expect(heard).toEqual(['visitor here', 'authenticated elsewhere', 'visitor elsewhere'])
  })
})

test('a token that the server refuses, though it looked active, is renewed at the start', async () => {
  const { session, keeper } = setUp({ me: over, refreshSession: () => makeRefreshAnswer() })
  keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
  expect(await session.user()).toEqual(visitorUser)
  expect(keeper.read().refreshToken).toBe('refresh-2')
})
