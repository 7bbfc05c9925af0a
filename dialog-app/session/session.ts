/**
 * Who is logged in, and the tokens that say so.
 *
 * The kept session is the truth, shared by every tab of this origin in this partition: it is read anew before
 * each decision. One refresh at a time (a lock across tabs), and whoever waited for the lock looks first whether
 * the tab before has done the work. An answer that comes after a logout is dropped.
 */
import { LatchkeyError, product, sessionLimits, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { AuthAnswer, RefreshAnswer } from '@latchkey/protocol/api'
import type { TokenSource } from '../api/client.ts'
import type { ServerTime } from '../api/server-time.ts'
import type { Transport } from '../api/transport.ts'
import { type Clock, type Locks, type Notices, wait } from '../ports.ts'
import {
  type KeptSession,
  noSession,
  type SessionKeeper,
  type SessionMode,
  sameSession,
  updateSession,
} from './kept-session.ts'
import type { SessionMarker } from './marker.ts'
import { isActive, isForAnotherApp, readClaims } from './token.ts'

/** How long a caller of logout waits for the server; the local session is gone before. */
const logoutWaitMs = 5_000

export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'visitor' }
  | { readonly status: 'authenticated'; readonly user: UserRecord }

/** `elsewhere`: another tab did it. */
export type ChangeOrigin = 'here' | 'elsewhere'
export type SessionListener = (state: SessionState, before: SessionState, origin: ChangeOrigin) => void

export type HostToken = { readonly token: string; readonly expiresAt: number }
export type ForkedSession = { readonly token: string; readonly refreshToken: string }

export type Session = TokenSource & {
  readonly state: () => SessionState
  readonly subscribe: (listener: SessionListener) => void
  /** Finds out who is logged in. A one-use code counts only where nobody is. */
  readonly start: (oneUseCode?: string) => Promise<SessionState>
  /** The user, or null for a visitor. */
  readonly user: () => Promise<UserRecord | null>
  /** Asks the server for the user again. */
  readonly reloadUser: () => Promise<UserRecord | null>
  readonly hostToken: () => Promise<HostToken | null>
  /** Takes over the tokens of a login. */
  readonly accept: (answer: AuthAnswer) => UserRecord
  readonly replaceUser: (user: UserRecord) => void
  readonly fork: () => Promise<ForkedSession>
  /** A forked token of another context, used where there is nothing else. */
  readonly keepForkedToken: (forkedToken: string) => void
  readonly logout: () => Promise<void>
  readonly hasCredentials: () => boolean
}

export type SessionPorts = {
  readonly appId: string
  readonly mode: SessionMode
  readonly transport: Transport
  readonly keeper: SessionKeeper
  readonly marker: SessionMarker
  readonly locks: Locks
  readonly notices: Notices
  readonly clock: Clock
  readonly serverTime: ServerTime
}

export function createSession(ports: SessionPorts): Session {
  const { appId, mode, transport, keeper, marker, locks, notices, clock, serverTime } = ports
  const lockName = product.storageName(appId, 'refresh')
  const listeners = new Set<SessionListener>()
  let state: SessionState = { status: 'unknown' }
  let starting: Promise<SessionState> | undefined
  let pendingCode: string | undefined
  let refreshing: Promise<boolean> | undefined

  function become(next: SessionState, origin: ChangeOrigin = 'here') {
    const before = state
    state = next
    if (next.status === before.status && next.status === 'visitor') return
    for (const listener of listeners) listener(next, before, origin)
  }

  const active = (token: string | null) => isActive(token, serverTime.nowMs())
  /** In cookie mode the refresh token can not be seen, but the marker beside it, or the token it gave, can. */
  const canRefresh = (kept: KeptSession) =>
    kept.refreshToken !== null || (mode === 'cookie' && (kept.accessToken !== null || marker.isPresent()))
  const isSession = (kept: KeptSession) =>
    canRefresh(kept) || kept.forkedToken !== null || active(kept.accessToken)

  /** The kept session, unless it is another app's: that one is ended. */
  function readOwn(): KeptSession {
    const kept = keeper.read()
    if (!isForAnotherApp(kept.accessToken, appId)) return kept
    void logout()
    return noSession
  }

  function end() {
    keeper.clear()
    marker.remove()
    become({ status: 'visitor' })
    notices.tell()
  }

  function take(answer: RefreshAnswer | AuthAnswer, before: KeptSession) {
    const kept = updateSession(before, answer, mode)
    if (isForAnotherApp(kept.accessToken, appId)) {
      keeper.write(kept)
      void logout()
      return
    }
    if (answer.sessionUpdateAction === 'clear') {
      end()
      return
    }
    keeper.write(kept)
    if (answer.user) become({ status: 'authenticated', user: answer.user })
    notices.tell()
  }

  /**
   * Concurrent callers in this tab share one refresh; tabs take turns. False when another tab had done it
   * already: the tokens are fresh then, but nothing was heard of the user.
   */
  function refresh(isNeeded: (kept: KeptSession) => boolean): Promise<boolean> {
    refreshing ??= locks
      .hold(lockName, sessionLimits.refreshLockDeadlineMs, () => refreshInLock(isNeeded))
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  async function refreshInLock(isNeeded: (kept: KeptSession) => boolean): Promise<boolean> {
    const kept = readOwn()
    if (!isSession(kept)) {
      become({ status: 'visitor' })
      return true
    }
    if (!isNeeded(kept)) return false
    try {
      const answer = await askForTokens(kept)
      if (sameSession(keeper.read(), kept)) take(answer, kept)
    } catch (error) {
      if (!isOver(error)) throw error
      if (sameSession(keeper.read(), kept)) end()
    }
    return true
  }

  function askForTokens(kept: KeptSession): Promise<RefreshAnswer> {
    const { accessToken: token, refreshToken, forkedToken } = kept
    if (!canRefresh(kept) && forkedToken !== null) {
      return transport.send('recoverFork', { refreshToken: forkedToken }, { token })
    }
    return transport.send('refreshSession', refreshToken === null ? {} : { refreshToken }, { token })
  }

  async function loadUser(origin: ChangeOrigin = 'here'): Promise<void> {
    if (!active(readOwn().accessToken) && (await refresh((now) => !active(now.accessToken)))) return
    const { accessToken } = readOwn()
    try {
      const user = await transport.send('me', undefined, { token: accessToken })
      if (keeper.read().accessToken !== null) become({ status: 'authenticated', user }, origin)
    } catch (error) {
      if (!isOver(error)) throw error
      await refresh((now) => now.accessToken === accessToken)
    }
  }

  async function redeem(code: string) {
    try {
      const answer = await transport.send('redeemSessionCode', { code }, { token: null })
      // Somebody may have logged in meanwhile, here or in another tab: a live session is never replaced.
      if (!isSession(keeper.read())) take(answer, noSession)
    } catch (error) {
      if (toLatchkeyError(error, 'error', '').code === 'session_storage_unavailable') throw error
      // A code that is used, expired or made up leaves a visitor a visitor.
    }
  }

  async function findOut(): Promise<SessionState> {
    if (isSession(readOwn())) await loadUser()
    else become({ status: 'visitor' })
    const code = pendingCode
    pendingCode = undefined
    if (code !== undefined && state.status === 'visitor') await redeem(code)
    return state
  }

  function start(oneUseCode?: string): Promise<SessionState> {
    pendingCode ??= oneUseCode
    starting ??= findOut().catch((error: unknown) => {
      // The next one who asks tries again.
      starting = undefined
      throw error
    })
    return starting
  }

  async function user() {
    if (state.status === 'unknown') await start()
    return state.status === 'authenticated' ? state.user : null
  }

  async function logout() {
    const kept = keeper.read()
    const { accessToken: token, refreshToken } = kept
    const calling = isSession(kept)
      ? transport.send('logout', refreshToken === null ? {} : { refreshToken }, { token, keepalive: true })
      : Promise.resolve()
    end()
    await Promise.race([calling.then(nothing, nothing), wait(clock, logoutWaitMs)])
  }

  async function withFresh(isNeeded: (kept: KeptSession) => boolean): Promise<KeptSession | null> {
    if (!isSession(readOwn())) return null
    if (isNeeded(readOwn())) await refresh(isNeeded)
    const kept = readOwn()
    return isSession(kept) ? kept : null
  }

  /** Another tab logged in or out, or renewed the tokens. */
  async function lookAgain() {
    const kept = readOwn()
    if (!isSession(kept)) {
      become({ status: 'visitor' }, 'elsewhere')
      return
    }
    const subject = kept.accessToken === null ? undefined : readClaims(kept.accessToken)?.sub
    if (state.status === 'authenticated' && state.user.id === subject) return
    if (state.status !== 'unknown') await loadUser('elsewhere')
  }
  notices.listen(() => void lookAgain().catch(nothing))

  return {
    state: () => state,
    subscribe: (listener) => void listeners.add(listener),
    start,
    user,
    async reloadUser() {
      await loadUser()
      return state.status === 'authenticated' ? state.user : null
    },
    storedToken: () => readOwn().accessToken,
    async activeToken() {
      const kept = await withFresh((now) => !active(now.accessToken))
      return kept && active(kept.accessToken) ? kept.accessToken : null
    },
    async replaceToken(refused) {
      const kept = await withFresh((now) => now.accessToken === refused || !active(now.accessToken))
      return kept?.accessToken ?? null
    },
    async hostToken() {
      const kept = await withFresh((now) => !active(now.hostToken))
      const claims = kept && active(kept.hostToken) && kept.hostToken ? readClaims(kept.hostToken) : undefined
      return kept?.hostToken && claims ? { token: kept.hostToken, expiresAt: claims.exp } : null
    },
    accept(answer) {
      take(answer, keeper.read())
      if (state.status !== 'authenticated') {
        throw new LatchkeyError('missing_or_invalid_token', 'The server gave tokens of another app')
      }
      return state.user
    },
    replaceUser(replacement) {
      if (state.status === 'authenticated') become({ status: 'authenticated', user: replacement })
    },
    async fork() {
      const kept = await withFresh((now) => !active(now.accessToken))
      if (!kept || kept.accessToken === null) {
        throw new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
      }
      return locks.hold(lockName, sessionLimits.refreshLockDeadlineMs, async () => {
        const { accessToken, refreshToken } = readOwn()
        const answer = await transport.send('forkSession', refreshToken === null ? {} : { refreshToken }, {
          token: accessToken,
        })
        const now = keeper.read()
        if (mode === 'storage' && now.refreshToken === refreshToken) {
          keeper.write({ ...now, refreshToken: answer.newSessionRefreshToken })
        }
        return { token: answer.token, refreshToken: answer.refreshToken }
      })
    },
    keepForkedToken(forkedToken) {
      keeper.write({ ...keeper.read(), forkedToken })
    },
    logout,
    hasCredentials: () => isSession(readOwn()),
  }
}

const nothing = () => {}

/** The server says that this session is over. Anything else may be better at the next try. */
const isOver = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'missing_or_invalid_token' || error.code === 'token_already_used')
