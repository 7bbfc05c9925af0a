import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { type Answers, refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, makeToken, visitorUser } from '../testing/fixtures.ts'
import { over, setUp, soon } from '../testing/session.ts'
import { noSession } from './stored-session.ts'

const emailAccount = { type: 'email', verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 } as const

describe('current user', () => {
  const named = (address: string) => ({ ...visitorUser, linkedAccounts: [{ ...emailAccount, address }] })
  /** Answers in the order that the test chooses. */
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

  test('comes from the later request if its answer arrives first', async () => {
    const { session, asked } = setUpAnswers()
    const [first, second] = [session.reloadUser(), session.reloadUser()]
    await settle()
    asked[1]?.resolve(named('second@example.org'))
    expect(await second).toEqual(named('second@example.org'))
    asked[0]?.resolve(named('first@example.org'))
    expect(await first).toEqual(named('second@example.org'))
    expect(session.state()).toEqual({ status: 'authenticated', user: named('second@example.org') })
  })

  test('comes from the later request if the answers arrive in order', async () => {
    const { session, asked } = setUpAnswers()
    const [first, second] = [session.reloadUser(), session.reloadUser()]
    await settle()
    asked[0]?.resolve(named('first@example.org'))
    expect(await first).toEqual(named('first@example.org'))
    asked[1]?.resolve(named('second@example.org'))
    expect(await second).toEqual(named('second@example.org'))
  })

  test('is not reverted by a response to a request from before it was replaced', async () => {
    const { session, asked } = setUpAnswers()
    const reloading = session.reloadUser()
    await settle()
    session.replaceUser(named('new@example.org'))
    asked[0]?.resolve(named('old@example.org'))
    expect(await reloading).toEqual(named('new@example.org'))
  })

  test('is not reverted by an earlier refresh, even if its tokens are accepted', async () => {
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

  test('is never replaced by another user', async () => {
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

  test('is requested again if another tab logged another user in meanwhile', async () => {
    const { session, sessionStore, asked } = setUpAnswers()
    const reloading = session.reloadUser()
    await settle()
    sessionStore.write({ ...sessionStore.read(), accessToken: makeToken({ sub: 'user-2' }) })
    asked[0]?.resolve(visitorUser)
    await settle()
    asked[1]?.resolve({ ...visitorUser, id: 'user-2' })
    expect(await reloading).toMatchObject({ id: 'user-2' })
  })
})

test('stops waiting for the user if the caller aborts', async () => {
  const { session, sessionStore } = setUp({ me: () => new Promise(() => {}) })
  sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
  const caller = new AbortController()
  const asked = watch(session.user(caller))
  await settle()
  const gone = refused('call_cancelled', 0)
  caller.abort(gone)
  await settle()
  expect(asked.error).toBe(gone)
})

test('refreshes a token at the start that looked active but that the server refuses', async () => {
  const { session, sessionStore } = setUp({ me: over, refreshSession: () => makeRefreshAnswer() })
  sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
  expect(await session.user()).toEqual(visitorUser)
  expect(sessionStore.read().refreshToken).toBe('refresh-2')
})

describe('missed logout and login of another user in another tab', () => {
  const other = { ...visitorUser, id: 'user-2' }
  const ofOther = (jti: string) => makeToken({ sub: 'user-2', jti })
  /** A tab that missed the notices, and its events. */
  function frozen(answers: Answers = {}) {
    const parts = setUp({ me: () => other, ...answers })
    parts.session.accept(makeAuthAnswer())
    const told: string[] = []
    parts.session.subscribe((state, _before, origin) => {
      told.push(`${state.status === 'authenticated' ? state.user.id : state.status} ${origin}`)
    })
    const becomeOther = () =>
      parts.sessionStore.write({
        ...noSession,
        accessToken: ofOther('dialog'),
        hostToken: ofOther('host'),
        refreshToken: 'refresh-other',
      })
    return { ...parts, told, becomeOther }
  }

  test.each([
    ['the host token', ({ session }: ReturnType<typeof frozen>) => session.hostToken()],
    ['a token', ({ session }: ReturnType<typeof frozen>) => session.activeToken()],
    ['the user', ({ session }: ReturnType<typeof frozen>) => session.user()],
  ])('emits a logout and a login before returning %s', async (_what, ask) => {
    const tab = frozen()
    tab.becomeOther()
    const toldBefore = ask(tab).then(() => [...tab.told])
    expect(await toldBefore).toEqual(['visitor elsewhere', 'user-2 elsewhere'])
    expect(await tab.session.hostToken()).toMatchObject({ token: ofOther('host') })
    expect(tab.told).toHaveLength(2)
  })

  test('emits the logout although the server does not return the new user', async () => {
    const tab = frozen({ me: () => Promise.reject(refused('server_unreachable', 0)) })
    tab.becomeOther()
    await expect(tab.session.hostToken()).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(tab.told).toEqual(['visitor elsewhere'])
  })

  test('emits a logout without a login, and returns no token', async () => {
    const tab = frozen()
    tab.sessionStore.clear()
    expect(await tab.session.hostToken()).toBeNull()
    expect(tab.told).toEqual(['visitor elsewhere'])
  })

  test("emits both for a refresh with the other user's cookie, and keeps nothing of the previous user", async () => {
    const marker = { isPresent: () => true, counter: () => 7, remove: () => {} }
    const tab = setUp(
      {
        refreshSession: () => ({
          user: other,
          token: ofOther('dialog'),
          refreshToken: null,
          sessionUpdateAction: 'ignore',
        }),
      },
      { mode: 'cookie', marker },
    )
    tab.session.accept(makeAuthAnswer({ token: soon(10), refreshToken: null }))
    const told: string[] = []
    tab.session.subscribe((state) =>
      told.push(state.status === 'authenticated' ? state.user.id : state.status),
    )
    expect(await tab.session.activeToken()).toBe(ofOther('dialog'))
    expect(told).toEqual(['visitor', 'user-2'])
    expect(tab.sessionStore.read()).toMatchObject({ accessToken: ofOther('dialog'), hostToken: null })
  })
})
