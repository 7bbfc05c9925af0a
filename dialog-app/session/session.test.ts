import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Answers, refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, makeToken, visitorUser } from '../testing/fixtures.ts'
import { lost, over, setUp, soon } from '../testing/session.ts'
import { noSession } from './kept-session.ts'

describe('logout', () => {
  // spec L4.10, L7.6
  test('calls the server first, then clears the stored session', async () => {
    const answer = Promise.withResolvers<{ success: true }>()
    const { session, keeper, transport } = setUp({ logout: () => answer.promise })
    session.accept(makeAuthAnswer())
    const leaving = session.logout()
    await settle()
    expect(transport.calls('logout')).toHaveLength(1)
    expect(keeper.read().refreshToken).toBe('refresh-1')
    expect(session.state().status).toBe('authenticated')
    answer.resolve({ success: true })
    await leaving
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

  test('clears the stored session after 5 s without an answer', async () => {
    const { session, keeper, browser } = setUp({ logout: () => new Promise(() => {}) })
    session.accept(makeAuthAnswer())
    const leaving = watch(session.logout())
    await browser.clock.advance(4_999)
    expect(leaving.settled).toBe(false)
    await browser.clock.advance(1)
    expect(leaving.settled).toBe(true)
    expect(keeper.read()).toEqual(noSession)
  })

  test('leaves a login alone that began before the answer', async () => {
    const answer = Promise.withResolvers<{ success: true }>()
    const { session, keeper } = setUp({ logout: () => answer.promise })
    session.accept(makeAuthAnswer())
    const leaving = session.logout()
    session.accept(makeAuthAnswer({ refreshToken: 'refresh-of-the-next' }))
    answer.resolve({ success: true })
    await leaving
    expect(keeper.read().refreshToken).toBe('refresh-of-the-next')
    expect(session.state().status).toBe('authenticated')
  })

  test('drops a refresh that is answered before the logout is', async () => {
    const [refreshed, answer] = [
      Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>(),
      Promise.withResolvers<{ success: true }>(),
    ]
    const answers = { refreshSession: () => refreshed.promise, logout: () => answer.promise }
    const { session, keeper } = setUp(answers)
    keeper.write({ ...noSession, accessToken: soon(10), refreshToken: 'refresh-1' })
    watch(session.activeToken())
    await settle()
    const leaving = session.logout()
    refreshed.resolve(makeRefreshAnswer())
    await settle()
    expect(keeper.read().refreshToken).toBe('refresh-1')
    answer.resolve({ success: true })
    await leaving
    expect(keeper.read()).toEqual(noSession)
  })

  test('in cookie mode removes the marker, so that nobody refreshes by the cookie', async () => {
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

  // spec L2.9
  test('is exchanged when it comes after a visitor was found, as a host brings it', async () => {
    const { session, keeper } = setUp({ redeemSessionCode: () => makeRefreshAnswer() })
    expect(await session.start()).toEqual({ status: 'visitor' })
    expect(await session.start('one-use')).toMatchObject({ status: 'authenticated' })
    expect(keeper.read().refreshToken).toBe('refresh-2')
  })

  // spec L2.10
  test('is not even sent when it comes after somebody was found to be logged in', async () => {
    const { session, transport } = setUp({})
    await session.start()
    session.accept(makeAuthAnswer())
    expect(await session.start('one-use')).toMatchObject({ status: 'authenticated' })
    expect(transport.calls('redeemSessionCode')).toEqual([])
  })

  // spec L4.7
  test('stays as the forked token while the server is away, and the next refresh recovers with it', async () => {
    const answers: Answers = { redeemSessionCode: lost }
    const { session, keeper, transport, anotherTab } = setUp(answers)
    await expect(session.start('one-use')).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(keeper.read()).toEqual({ ...noSession, forkedToken: 'one-use' })
    answers.redeemSessionCode = () => makeRefreshAnswer()
    const reloaded = anotherTab()
    expect(await reloaded.session.user()).toEqual(visitorUser)
    expect(transport.calls('redeemSessionCode')).toMatchObject([
      { body: { code: 'one-use' } },
      { body: { code: 'one-use' } },
    ])
    expect(keeper.read()).toMatchObject({ forkedToken: null, refreshToken: 'refresh-2' })
  })

  test('that no server can have made leaves a visitor', async () => {
    const { session, keeper, transport } = setUp({})
    expect(await session.start('<one use>')).toEqual({ status: 'visitor' })
    expect(keeper.read()).toEqual(noSession)
    expect(transport.sent).toEqual([])
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
