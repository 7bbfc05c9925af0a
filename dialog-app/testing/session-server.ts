/**
 * A server with sessions, and the browser's cookies for it, to test how sessions end. A tab on it can be killed at any
 * step, that is at each use of its storage and each call. A killed tab does nothing more.
 */

import { LatchkeyError } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import { apiRoutes } from '@latchkey/protocol/api'
import type { KeyValueStore } from '../browser/ports.ts'
import type { SessionMarker } from '../session/marker.ts'
import type { SessionMode } from '../session/stored-session.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab } from './fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, visitorUser } from './fixtures.ts'

export function sessionServer(mode: SessionMode) {
  const alive = new Set<string>()
  let begun = 0
  let cookie: string | undefined
  let hasMarker = false
  let isReachable = true
  let isTakingLogouts = true
  /** Delays responses until it resolves; the server has processed the call by then. */
  let held: Promise<void> = Promise.resolve()

  function dropCookie() {
    cookie = undefined
    hasMarker = false
  }
  function end(session: string | undefined) {
    if (session !== undefined) alive.delete(session)
    dropCookie()
    return { success: true } as const
  }

  const answers: Answers = {
    async loginWithEmailCode() {
      begun += 1
      const session = `refresh-${begun}`
      alive.add(session)
      await held
      if (mode === 'storage') return makeAuthAnswer({ refreshToken: session })
      cookie = session
      hasMarker = true
      return makeAuthAnswer({ refreshToken: null, sessionUpdateAction: 'ignore' })
    },
    refreshSession({ refreshToken }) {
      const session = cookie ?? refreshToken ?? undefined
      if (session === undefined || !alive.has(session)) {
        throw new LatchkeyError('missing_or_invalid_token', 'Over', { details: { status: 401 } })
      }
      return makeRefreshAnswer({ refreshToken: mode === 'storage' ? session : null })
    },
    me: () => visitorUser,
    logout({ refreshToken }) {
      if (isTakingLogouts) return end(cookie ?? refreshToken ?? undefined)
      throw new LatchkeyError('unavailable', 'Not now', { details: { status: 503 } })
    },
  }
  const transport = makeFakeTransport(
    Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        (body: never, token: string | null) => {
          if (!isReachable) throw new LatchkeyError('server_unreachable', 'Nobody is there')
          return (answer as (body: never, token: string | null) => unknown)(body, token)
        },
      ]),
    ) as Answers,
  )
  const marker: SessionMarker = {
    isPresent: () => hasMarker,
    counter: () => (hasMarker ? 1 : undefined),
    remove() {
      hasMarker = false
    },
  }
  const browser = makeBrowser()

  function openTab(diesAt = Number.POSITIVE_INFINITY) {
    let steps = 0
    const step = <T>(act: () => T): T => {
      steps += 1
      if (steps >= diesAt) throw new Error('The tab is dead')
      return act()
    }
    const { store } = browser
    const mortalStore: KeyValueStore = {
      read: (name) => step(() => store.read(name)),
      write: (name, value) => step(() => store.write(name, value)),
      remove: (name) => step(() => store.remove(name)),
    }
    const mortalTransport = {
      send: async (route: Route, body: unknown, sending: object) => {
        step(() => undefined)
        const answer = await transport.send(route, body as never, sending as never)
        return step(() => answer)
      },
    } as typeof transport
    const mortalMarker = { ...marker, remove: () => step(marker.remove) }
    const mortal = { ...browser, store: { ...store, ...mortalStore } }
    const tab = makeTab(mortal, mortalTransport, { mode, ...(mode === 'cookie' && { marker: mortalMarker }) })
    return {
      ...tab,
      logIn: (signal?: AbortSignal) =>
        tab.session.logIn(
          apiRoutes.loginWithEmailCode,
          { email: 'ada@example.org', code: '123456' },
          { signal },
        ),
      steps: () => steps,
      /** Applies from now on. */
      dieIn(more: number) {
        diesAt = steps + more
      },
    }
  }

  return {
    browser,
    transport,
    openTab,
    aliveSessions: () => [...alive],
    cookie: () => cookie,
    goAway() {
      isReachable = false
    },
    comeBack() {
      isReachable = true
    },
    takeLogouts(takes: boolean) {
      isTakingLogouts = takes
    },
    /** Delays the next login responses until the returned function is called. */
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    kept: () => browser.store.entries.get('latchkey:lkdemo0000000000000000001:session'),
    /** Simulates the response of a refresh that another tab requested before the logout. */
    bringMarker() {
      hasMarker = true
    },
  }
}
