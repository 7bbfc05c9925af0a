import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeAuthAnswer, makeRefreshAnswer, makeToken, visitorUser } from '../testing/fixtures.ts'
import { over, setUp, soon } from '../testing/session.ts'
import { refused, watch } from '../testing/world.ts'
import { noSession } from './kept-session.ts'

const emailAccount = { type: 'email', verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 } as const

describe('the user who is known', () => {
  const named = (address: string) => ({ ...visitorUser, linkedAccounts: [{ ...emailAccount, address }] })
  /** Answers in the order that the test says. */
  function setUpAnswers() {
    const asked: PromiseWithResolvers<typeof visitorUser>[] = []
    const parts = setUp({
      me() {
        const answer = Promise.withResolvers<typeof visitorUser>()
        asked.push(answer)
        return answer.promise
      },
      logout: () => ({ success: true }),
    })
    parts.session.accept(makeAuthAnswer())
    return { ...parts, asked }
  }

  test('is the one of the later question, whichever answer comes first', async () => {
    const { session, asked } = setUpAnswers()
    const [first, second] = [session.reloadUser(), session.reloadUser()]
    await settle()
    asked[1]?.resolve(named('second@example.org'))
    expect(await second).toEqual(named('second@example.org'))
    asked[0]?.resolve(named('first@example.org'))
    expect(await first).toEqual(named('second@example.org'))
    expect(session.state()).toEqual({ status: 'authenticated', user: named('second@example.org') })
  })

  test('is the one of the later question where the answers come in order, too', async () => {
    const { session, asked } = setUpAnswers()
    const [first, second] = [session.reloadUser(), session.reloadUser()]
    await settle()
    asked[0]?.resolve(named('first@example.org'))
    expect(await first).toEqual(named('first@example.org'))
    asked[1]?.resolve(named('second@example.org'))
    expect(await second).toEqual(named('second@example.org'))
  })

  test('is not taken back by an answer to a question from before it was replaced', async () => {
    const { session, asked } = setUpAnswers()
    const reloading = session.reloadUser()
    await settle()
    session.replaceUser(named('new@example.org'))
    asked[0]?.resolve(named('old@example.org'))
    expect(await reloading).toEqual(named('new@example.org'))
  })

  test('is not taken back by a refresh from before it was replaced, whose tokens are taken', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeRefreshAnswer>>()
    const { session } = setUp({ refreshSession: () => promise })
    session.accept(makeAuthAnswer({ token: soon(10) }))
    const refreshing = session.activeToken()
    await settle()
    session.replaceUser(named('new@example.org'))
    resolve(makeRefreshAnswer({ user: named('old@example.org') }))
    expect(await refreshing).toBe(makeRefreshAnswer().token)
    expect(session.state()).toEqual({ status: 'authenticated', user: named('new@example.org') })
  })

  test('is never replaced by somebody else', async () => {
    const { session } = setUpAnswers()
    session.replaceUser({ ...visitorUser, id: 'user-2' })
    expect(session.state()).toEqual({ status: 'authenticated', user: visitorUser })
  })

  test('does not come back after a logout', async () => {
    const { session, asked } = setUpAnswers()
    const reloading = session.reloadUser()
    await settle()
    await session.logout()
    asked[0]?.resolve(visitorUser)
    expect(await reloading).toBeNull()
    expect(session.state().status).toBe('visitor')
  })

  test('is asked for again where another tab logged somebody else in meanwhile', async () => {
    const { session, keeper, asked } = setUpAnswers()
    const reloading = session.reloadUser()
    await settle()
    keeper.write({ ...keeper.read(), accessToken: makeToken({ sub: 'user-2' }) })
    asked[0]?.resolve(visitorUser)
    await settle()
    asked[1]?.resolve({ ...visitorUser, id: 'user-2' })
    expect(await reloading).toMatchObject({ id: 'user-2' })
  })
})

test('a caller that is gone does not wait for the user', async () => {
  const { session, keeper } = setUp({ me: () => new Promise(() => {}) })
  keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
  const caller = new AbortController()
  const asked = watch(session.user(caller))
  await settle()
  const gone = refused('call_cancelled', 0)
  caller.abort(gone)
  await settle()
  expect(asked.error).toBe(gone)
})

test('a token that the server refuses, though it looked active, is renewed at the start', async () => {
  const { session, keeper } = setUp({ me: over, refreshSession: () => makeRefreshAnswer() })
  keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
  expect(await session.user()).toEqual(visitorUser)
  expect(keeper.read().refreshToken).toBe('refresh-2')
})
