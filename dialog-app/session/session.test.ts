import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Answers, refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, makeToken, visitorUser } from '../testing/fixtures.ts'
import { lost, over, setUp, soon } from '../testing/session.ts'
import { noSession } from './stored-session.ts'

describe('logout', () => {
  // spec L4.10, L7.6
  test('calls the server first, then clears the stored session', async () => {
    const answer = Promise.withResolvers<{ success: true }>()
    const { session, sessionStore, transport } = setUp({ logout: () => answer.promise })
    session.accept(makeAuthAnswer())
    const leaving = session.logout()
    await settle()
    expect(transport.calls('logout')).toHaveLength(1)
    expect(sessionStore.read().refreshToken).toBe('refresh-1')
    expect(session.state().status).toBe('authenticated')
    answer.resolve({ success: true })
    await leaving
    expect(transport.sent).toEqual([
      { name: 'logout', body: { refreshToken: 'refresh-1' }, token: makeToken() },
    ])
    expect(sessionStore.read()).toEqual(noSession)
    expect(session.state()).toEqual({ status: 'visitor' })
  })

  // spec L4.10
  test('clears the stored session if the call fails', async () => {
    const { session, sessionStore } = setUp({ logout: lost })
    session.accept(makeAuthAnswer())
    await session.logout()
    expect(sessionStore.read()).toEqual(noSession)
  })

  test('clears the stored session after 5 s without an answer', async () => {
    const { session, sessionStore, browser } = setUp({ logout: () => new Promise(() => {}) })
    session.accept(makeAuthAnswer())
    const leaving = watch(session.logout())
    await browser.clock.advance(4_999)
    expect(leaving.settled).toBe(false)
    await browser.clock.advance(1)
    expect(leaving.settled).toBe(true)
    expect(sessionStore.read()).toEqual(noSession)
  })

  test('keeps a login that began before the answer', async () => {
    const answer = Promise.withResolvers<{ success: true }>()
    const { session, sessionStore } = setUp({ logout: () => answer.promise })
    session.accept(makeAuthAnswer())
    const leaving = session.logout()
    session.accept(makeAuthAnswer({ refreshToken: 'refresh-of-the-next' }))
    answer.resolve({ success: true })
    await leaving
    expect(sessionStore.read().refreshToken).toBe('refresh-of-the-next')
    expect(session.state().status).toBe('authenticated')
  })

  test('drops a refresh that is answered before the logout', async () => {
    const [refreshed, answer] = [
      Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>(),
      Promise.withResolvers<{ success: true }>(),
    ]
    const answers = { refreshSession: () => refreshed.promise, logout: () => answer.promise }
    const { session, sessionStore } = setUp(answers)
    sessionStore.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    watch(session.activeToken())
    await settle()
    const leaving = session.logout()
    refreshed.resolve(makeRefreshAnswer())
    await settle()
    expect(sessionStore.read().refreshToken).toBe('refresh-1')
    answer.resolve({ success: true })
    await leaving
    expect(sessionStore.read()).toEqual(noSession)
  })

  test('removes the marker in cookie mode, so that no tab refreshes with the cookie', async () => {
    const marker = {
      present: true,
      isPresent: () => marker.present,
      counter: () => 7,
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

describe('a one-use code from the URL', () => {
  // spec L2.9
  test('is exchanged and stored for a visitor', async () => {
    const { session, sessionStore, transport } = setUp({ redeemSessionCode: () => makeRefreshAnswer() })
    await session.start('one-use')
    expect(transport.sent).toEqual([{ name: 'redeemSessionCode', body: { code: 'one-use' }, token: null }])
    expect(sessionStore.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('is not sent while a session is active', async () => {
    const { session, sessionStore, transport } = setUp({ me: () => visitorUser })
    sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    await session.start('one-use')
    expect(transport.calls('redeemSessionCode')).toEqual([])
    expect(sessionStore.read().refreshToken).toBe('refresh-1')
  })

  test('replaces a session that turns out to be over', async () => {
    const { session, sessionStore } = setUp({
      refreshSession: over,
      redeemSessionCode: () => makeRefreshAnswer(),
    })
    sessionStore.write({ ...noSession, refreshToken: 'refresh-1' })
    await session.start('one-use')
    expect(sessionStore.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('does not replace a session that began during the exchange', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>()
    const { session, sessionStore } = setUp({ redeemSessionCode: () => promise })
    const starting = session.start('one-use')
    await settle()
    session.accept(makeAuthAnswer())
    resolve(makeRefreshAnswer())
    await starting
    expect(sessionStore.read().refreshToken).toBe('refresh-1')
  })

  // spec L2.9
  test('is exchanged if the host page passes it after a visitor was found', async () => {
    const { session, sessionStore } = setUp({ redeemSessionCode: () => makeRefreshAnswer() })
    expect(await session.start()).toEqual({ status: 'visitor' })
    expect(await session.start('one-use')).toMatchObject({ status: 'authenticated' })
    expect(sessionStore.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('is not sent if it arrives after a logged-in user was found', async () => {
    const { session, transport } = setUp({})
    await session.start()
    session.accept(makeAuthAnswer())
    expect(await session.start('one-use')).toMatchObject({ status: 'authenticated' })
    expect(transport.calls('redeemSessionCode')).toEqual([])
  })

  // spec L4.7
  test('stays as the forked token while the server is down, and the next refresh recovers with it', async () => {
    const answers: Answers = { redeemSessionCode: lost }
    const { session, sessionStore, transport, anotherTab } = setUp(answers)
    await expect(session.start('one-use')).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(sessionStore.read()).toEqual({ ...noSession, forkedToken: 'one-use' })
    answers.redeemSessionCode = () => makeRefreshAnswer()
    const reloaded = anotherTab()
    expect(await reloaded.session.user()).toEqual(visitorUser)
    expect(transport.calls('redeemSessionCode')).toMatchObject([
      { body: { code: 'one-use' } },
      { body: { code: 'one-use' } },
    ])
    expect(sessionStore.read()).toMatchObject({ forkedToken: null, refreshToken: 'refresh-2' })
  })

  test('is ignored if no server can have issued it', async () => {
    const { session, sessionStore, transport } = setUp({})
    expect(await session.start('<one use>')).toEqual({ status: 'visitor' })
    expect(sessionStore.read()).toEqual(noSession)
    expect(transport.sent).toEqual([])
  })

  test('is ignored if it was used before', async () => {
    const { session } = setUp({
      redeemSessionCode: () => {
        throw refused('token_already_used', 401)
      },
    })
    expect(await session.start('one-use')).toEqual({ status: 'visitor' })
  })
})

describe('second tab', () => {
  test('receives a login and a logout', async () => {
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
