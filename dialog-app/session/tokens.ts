/**
 * The session's tokens: accepted from responses, refreshed before they expire, cleared at the end.
 *
 * Only one refresh runs at a time: callers in this tab share it, and a lock serializes tabs. A tab that waited for
 * the lock first checks whether another tab has refreshed. A response that arrives after a logout is dropped. Ended
 * sessions are reported first, so that a refresh never revives them.
 */
import { product, sessionLimits } from '@latchkey/protocol'
import { type AuthAnswer, type RefreshAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { ProofMaker } from '../api/proof.ts'
import type { Transport } from '../api/transport.ts'
import type { Locks, Notices } from '../browser/ports.ts'
import { createShared } from '../browser/shared.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import type { CurrentUser } from './current-user.ts'
import { type EndedSessions, isSessionOver } from './ended-sessions.ts'
import type { SessionMarker } from './marker.ts'
import {
  isSameSession,
  type SessionMode,
  type SessionStore,
  type StoredSession,
  updateSession,
} from './stored-session.ts'
import { isForAnotherApp } from './token.ts'

export type TokenPorts = {
  appId: string
  mode: SessionMode
  transport: Transport
  proofs: Pick<ProofMaker, 'prepare'>
  sessionStore: SessionStore
  marker: SessionMarker
  locks: Locks
  notices: Notices
  current: CurrentUser
  credentials: Credentials
  endedSessions: Pick<EndedSessions, 'report'>
  /** Ends a session if its tokens belong to another app. */
  endForeign: () => void
}

type IsNeeded = (session: StoredSession) => boolean

export type Tokens = {
  /** Stores the tokens of the response to this request. */
  accept: (answer: RefreshAnswer | AuthAnswer, before: StoredSession, request: number) => void
  /** Clears the session in this browser only; a logout also ends it at the server. */
  end: () => void
  /** Refreshes the tokens. Returns false if another tab already did; the user was then not reloaded. */
  refresh: (isNeeded: IsNeeded, options?: Cancellable) => Promise<boolean>
  /** Returns the session, refreshed first if needed, or null for a visitor. */
  getFresh: (isNeeded: IsNeeded, options?: Cancellable) => Promise<StoredSession | null>
  /** Runs while no tab refreshes. */
  inLock: <T>(run: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

export function createTokens(ports: TokenPorts): Tokens {
  const {
    appId,
    mode,
    transport,
    proofs,
    sessionStore,
    marker,
    notices,
    current,
    credentials,
    endedSessions,
  } = ports
  const lockName = product.storageName(appId, 'refresh')
  const joinRefresh = createShared<boolean>()

  /** Prepares the proof key before taking the lock, so that a slow browser blocks no other tab. */
  async function inLock<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await orAborted(proofs.prepare(), signal)
    return ports.locks.hold(lockName, sessionLimits.refreshLockDeadlineMs, run, signal)
  }

  function end() {
    sessionStore.clear()
    marker.remove()
    current.update({ status: 'visitor' })
    notices.tell()
  }

  function accept(answer: RefreshAnswer | AuthAnswer, before: StoredSession, request: number) {
    const session = updateSession(before, answer, mode)
    if (isForAnotherApp(session.accessToken, appId)) {
      sessionStore.write(session)
      ports.endForeign()
      return
    }
    if (answer.sessionUpdateAction === 'clear') {
      end()
      return
    }
    sessionStore.write(session)
    if (answer.user) current.update({ status: 'authenticated', user: answer.user }, { request })
    notices.tell()
  }

  async function refreshInLock(isNeeded: IsNeeded, signal: AbortSignal): Promise<boolean> {
    await endedSessions.report({ retries: 0 }).catch(() => {})
    const session = credentials.read()
    if (!credentials.isSession(session)) {
      current.update({ status: 'visitor' })
      return true
    }
    if (!isNeeded(session)) return false
    const request = current.nextId()
    try {
      const answer = await requestTokens(session, signal)
      if (isSameSession(sessionStore.read(), session) && !sessionStore.isEnding())
        accept(answer, session, request)
    } catch (error) {
      if (!isSessionOver(error)) throw error
      if (isSameSession(sessionStore.read(), session)) end()
    }
    return true
  }

  function requestTokens(session: StoredSession, signal: AbortSignal): Promise<RefreshAnswer> {
    const { accessToken: token, forkedToken } = session
    if (!credentials.canRefresh(session) && forkedToken !== null) {
      // A forked refresh token contains dots; a one-use code of `forkSession` does not.
      return forkedToken.includes('.')
        ? transport.send(sessionRoutes.recoverFork, { refreshToken: forkedToken }, { token, signal })
        : transport.send(sessionRoutes.redeemSessionCode, { code: forkedToken }, { token, signal })
    }
    return transport.send(sessionRoutes.refreshSession, credentials.refreshBody(session), {
      token,
      signal,
    })
  }

  const refresh = (isNeeded: IsNeeded, { signal }: Cancellable = {}) =>
    joinRefresh((sharedSignal) => inLock(() => refreshInLock(isNeeded, sharedSignal), sharedSignal), signal)

  return {
    accept,
    end,
    refresh,
    inLock,
    async getFresh(isNeeded, options) {
      const { read, isSession } = credentials
      if (!isSession(read())) return null
      if (isNeeded(read())) await refresh(isNeeded, options)
      const session = read()
      return isSession(session) ? session : null
    },
  }
}
