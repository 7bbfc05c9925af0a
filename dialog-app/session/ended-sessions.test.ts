import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeToken } from '../testing/fixtures.ts'
import { setUp } from '../testing/session.ts'
import { sessionServer } from '../testing/session-server.ts'

const modes = ['storage', 'cookie'] as const
const closed = new LatchkeyError('exited_auth_flow', 'The user closed the dialog')

/** A login that the server has completed, with its answer in flight. */
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

/** Expects a visitor, a logout at the server, and no earlier refresh. */
async function nextVisitEndsIt(server: ReturnType<typeof sessionServer>) {
  const next = server.openTab()
  expect(await next.session.user()).toBeNull()
  await settle()
  expect(server.aliveSessions()).toEqual([])
  expect(server.kept()).toBeUndefined()
  expect(server.transport.calls('refreshSession')).toEqual([])
}

describe.each(modes)('a login in %s mode whose caller leaves before its answer', (mode) => {
  test('is undone: nothing is stored here, and the server ends the session', async () => {
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

  test('is accepted if the caller stays', async () => {
    const { server, answer, tab, login } = await loginOnItsWay(mode)
    answer()
    await settle()
    expect(login.value).toMatchObject({ isNewUser: true })
    expect(server.aliveSessions()).toEqual(['refresh-1'])
    expect(tab.session.hasCredentials()).toBe(true)
  })

  test('is undone at the next visit if the server was unreachable', async () => {
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

  test('is undone before the next login, which stays', async () => {
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

  test('leaves no session, with any step as the last of its tab', async () => {
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

  test('is reported at the next visit, before any refresh, if the server missed it', async () => {
    const { server, tab } = await loggedIn()
    server.goAway()
    await tab.session.logout()
    expect(tab.session.state().status).toBe('visitor')
    expect(server.aliveSessions()).toEqual(['refresh-1'])
    server.comeBack()
    await nextVisitEndsIt(server)
  })

  test('is not reported twice', async () => {
    const { server, tab } = await loggedIn()
    await tab.session.logout()
    await server.openTab().session.start()
    await settle()
    expect(server.transport.calls('logout')).toHaveLength(1)
  })

  test('ends the session, with any step as the last of its tab', async () => {
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
      // Either the tab closed before writing anything, or the session is over on both sides.
      expect(server.aliveSessions(), `step ${last}`).toEqual(user ? ['refresh-1'] : [])
      if (!user) {
        ended += 1
        expect(server.kept()).toBeUndefined()
      }
    }
    expect(ended).toBeGreaterThan(steps / 2)
  })
})

test('never sends the cookie of a later login with a repeated logout, in cookie mode', async () => {
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
  expect(other.sessionStore.read().accessToken).toBe(makeToken())
})

test('ignores a cookie that arrives after an unacknowledged logout, in cookie mode', async () => {
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

test('reports an ended session before an open tab uses a cookie, in cookie mode', async () => {
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

test('keeps the cookie of a new login after an unacknowledged logout, in cookie mode', async () => {
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
])('sends a logout that is answered with %i %i times', async (status, times) => {
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
