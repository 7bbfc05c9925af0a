import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeToken } from '../testing/fixtures.ts'
import { setUp } from '../testing/session.ts'
import { sessionServer } from '../testing/session-server.ts'

const modes = ['storage', 'cookie'] as const
const closed = new LatchkeyError('exited_auth_flow', 'The user closed the dialog')

/** A login that the server has done, and whose answer is still on its way. */
async function loginOnItsWay(mode: (typeof modes)[number]) {
  const server = sessionServer(mode)
  const answer = server.holdAnswers()
  const tab = server.openTab()
  const caller = new AbortController()
  const login = watch(tab.logIn(caller.signal))
  await settle()
  expect(server.aliveSessions()).toEqual(['refresh-1'])
  return { server, answer, tab, login, close: () => caller.abort(closed) }
}

/** Nobody is logged in then, the server has heard it, and nothing was refreshed before. */
async function nextVisitEndsIt(server: ReturnType<typeof sessionServer>) {
  const next = server.openTab()
  expect(await next.session.user()).toBeNull()
  await settle()
  expect(server.aliveSessions()).toEqual([])
  expect(server.kept()).toBeUndefined()
  expect(server.transport.calls('refreshSession')).toEqual([])
}

describe.each(modes)('a login in %s mode whose caller leaves before its answer', (mode) => {
  test('is undone: here nothing is kept, and the server has ended the session', async () => {
    const { server, answer, tab, login, close } = await loginOnItsWay(mode)
    close()
    await settle()
    expect(login.error).toBe(closed)
    answer()
    await settle()
    expect(server.aliveSessions()).toEqual([])
    expect(server.cookie()).toBeUndefined()
    expect(server.kept()).toBeUndefined()
    expect(tab.session.state().status).not.toBe('authenticated')
  })

  test('is taken over where the caller stays', async () => {
    const { server, answer, tab, login } = await loginOnItsWay(mode)
    answer()
    await settle()
    expect(login.value).toMatchObject({ isNewUser: true })
    expect(server.aliveSessions()).toEqual(['refresh-1'])
    expect(tab.session.hasCredentials()).toBe(true)
  })

  test('is undone at the next visit where the server could not be told', async () => {
    const { server, answer, close } = await loginOnItsWay(mode)
    close()
    server.goAway()
    answer()
    await settle()
    expect(server.aliveSessions()).toEqual(['refresh-1'])
    const offline = server.openTab()
    expect(await offline.session.user()).toBeNull()
    server.comeBack()
    await nextVisitEndsIt(server)
  })

  test('is undone before the next login, which is not', async () => {
    const { server, answer, tab, close } = await loginOnItsWay(mode)
    close()
    server.goAway()
    answer()
    await settle()
    server.comeBack()
    await tab.logIn()
    expect(server.aliveSessions()).toEqual(['refresh-2'])
    const next = server.openTab()
    expect((await next.session.user())?.id).toBe('user-1')
    await settle()
    expect(server.aliveSessions()).toEqual(['refresh-2'])
  })

  test('leaves nobody logged in, whichever step was the last of its tab', async () => {
    const undisturbed = await loginOnItsWay(mode)
    const before = undisturbed.tab.steps()
    undisturbed.close()
    undisturbed.answer()
    await settle()
    const steps = undisturbed.tab.steps() - before
    expect(steps).toBeGreaterThan(4)
    for (let last = 1; last <= steps; last += 1) {
      const { server, answer, tab, close } = await loginOnItsWay(mode)
      close()
      tab.dieIn(last)
      answer()
      await settle()
      const next = server.openTab()
      expect(await next.session.user(), `step ${last}`).toBeNull()
      await settle()
      expect(server.cookie(), `step ${last}`).toBeUndefined()
      expect(server.kept(), `step ${last}`).toBeUndefined()
    }
  })
})

describe.each(modes)('a logout in %s mode', (mode) => {
  async function loggedIn() {
    const server = sessionServer(mode)
    const tab = server.openTab()
    await tab.logIn()
    return { server, tab }
  }

  test('that the server does not hear is told at the next visit, and nothing is refreshed before', async () => {
    const { server, tab } = await loggedIn()
    server.goAway()
    await tab.session.logout()
    expect(tab.session.state().status).toBe('visitor')
    expect(server.aliveSessions()).toEqual(['refresh-1'])
    server.comeBack()
    await nextVisitEndsIt(server)
  })

  test('that the server heard is not told again', async () => {
    const { server, tab } = await loggedIn()
    await tab.session.logout()
    await server.openTab().session.start()
    await settle()
    expect(server.transport.calls('logout')).toHaveLength(1)
  })

  test('ends the session, whichever step was the last of its tab', async () => {
    const undisturbed = await loggedIn()
    const before = undisturbed.tab.steps()
    await undisturbed.tab.session.logout()
    const steps = undisturbed.tab.steps() - before
    expect(steps).toBeGreaterThan(5)
    let ended = 0
    for (let last = 1; last <= steps; last += 1) {
      const { server, tab } = await loggedIn()
      tab.dieIn(last)
      await tab.session.logout().catch(() => {})
      const next = server.openTab()
      const user = await next.session.user()
      await settle()
      // The tab died before it wrote anything, or the session is over on both sides: nothing in between.
      expect(server.aliveSessions(), `step ${last}`).toEqual(user ? ['refresh-1'] : [])
      if (!user) {
        ended += 1
        expect(server.kept()).toBeUndefined()
      }
    }
    expect(ended).toBeGreaterThan(steps / 2)
  })
})

test('in cookie mode a logout that is told again never meets the cookie of a later login', async () => {
  const server = sessionServer('cookie')
  const tab = server.openTab()
  await tab.logIn()
  server.goAway()
  await tab.session.logout()
  server.comeBack()
  const [other, late] = [server.openTab(), server.openTab()]
  await Promise.all([other.logIn(), late.session.start()])
  await settle()
  expect(server.aliveSessions()).toEqual(['refresh-2'])
  expect(other.keeper.read().accessToken).toBe(makeToken())
})

test('in cookie mode a cookie that comes after an unacknowledged logout is nobody’s', async () => {
  const server = sessionServer('cookie')
  const tab = server.openTab()
  await tab.logIn()
  server.goAway()
  await tab.session.logout()
  server.bringMarker()
  expect(await server.openTab().session.activeToken()).toBeNull()
  server.comeBack()
  expect(await server.openTab().session.user()).toBeNull()
  await settle()
  expect(server.aliveSessions()).toEqual([])
  expect(server.transport.calls('refreshSession')).toEqual([])
})

test('in cookie mode a tab that stays open tells of it before it uses a cookie', async () => {
  const server = sessionServer('cookie')
  const [tab, open] = [server.openTab(), server.openTab()]
  await open.session.start()
  await tab.logIn()
  await settle()
  server.goAway()
  await tab.session.logout()
  server.bringMarker()
  server.comeBack()
  expect(await open.session.hostToken()).toBeNull()
  expect(server.aliveSessions()).toEqual([])
  expect(server.transport.calls('refreshSession')).toEqual([])
})

test('in cookie mode the cookie of a login is its own, though the logout before it is still unacknowledged', async () => {
  const server = sessionServer('cookie')
  const tab = server.openTab()
  await tab.logIn()
  server.takeLogouts(false)
  await tab.session.logout()
  await tab.logIn()
  server.takeLogouts(true)
  const next = server.openTab()
  expect(await next.session.user()).not.toBeNull()
  await settle()
  expect(server.aliveSessions()).toContain('refresh-2')
})

test.each([
  [401, 1],
  [503, 3],
])('a logout that is answered with %i is told %i times', async (status, times) => {
  const { session, transport, anotherTab } = setUp({
    logout() {
      throw refused(status === 401 ? 'missing_or_invalid_token' : 'unavailable', status)
    },
  })
  session.accept(makeAuthAnswer())
  await session.logout()
  await anotherTab().session.start()
  await settle()
  expect(transport.calls('logout')).toHaveLength(times)
})
