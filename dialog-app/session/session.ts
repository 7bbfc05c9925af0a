/**
 * The current user and the tokens of the session.
 *
 * The stored session is the source of truth for all tabs of this origin and partition, and is read before every
 * decision. `tokens.ts` refreshes it, `current-user.ts` holds the user, `find-user.ts` determines the user,
 * `ended-sessions.ts` reports ended sessions to the server.
 */
import { LatchkeyError, sessionLimits, type UserRecord } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { TokenSource } from '../api/client.ts'
import type { ProofMaker } from '../api/proof.ts'
import type { ServerTime } from '../api/server-time.ts'
import type { Transport } from '../api/transport.ts'
import type { Clock, Locks, Notices } from '../browser/ports.ts'
import { type Cancellable, wait } from '../browser/waiting.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { createCurrentUser, type SessionListener, type SessionState } from './current-user.ts'
import { createEndedSessions, type EndedSessions } from './ended-sessions.ts'
import { createFindUser } from './find-user.ts'
import { createLogIn, type LogIn } from './log-in.ts'
import type { SessionMarker } from './marker.ts'
import {
  isSameSession,
  noSession,
  type SessionMode,
  type SessionStore,
  type StoredSession,
} from './stored-session.ts'
import { readClaims } from './token.ts'
import { createTokens, type Tokens } from './tokens.ts'

export type { ChangeOrigin, SessionListener, SessionState } from './current-user.ts'

export type Session = TokenSource & {
  state: () => SessionState
  /** Returns a function that unsubscribes. */
  subscribe: (listener: SessionListener) => () => void
  /** Determines the current user. A one-use code applies only to visitors. */
  start: (oneUseCode?: string) => Promise<SessionState>
  /** Returns the user, or null for a visitor. */
  user: (options?: Cancellable) => Promise<UserRecord | null>
  /** Requests the user from the server again. A newer result of a later request stays. */
  reloadUser: (options?: Cancellable) => Promise<UserRecord | null>
  hostToken: (options?: Cancellable) => Promise<HostToken | null>
  /** Logs in. If the caller aborts, the session that the server started is ended. */
  logIn: LogIn
  /** Stores the tokens of a login response. */
  accept: (answer: AuthAnswer) => UserRecord
  /** Replaces the record of the same user with a newer one. */
  replaceUser: (user: UserRecord) => void
  logout: () => Promise<void>
  hasCredentials: () => boolean
}

export type SessionPorts = {
  appId: string
  mode: SessionMode
  transport: Transport
  proofs: Pick<ProofMaker, 'prepare'>
  sessionStore: SessionStore
  marker: SessionMarker
  locks: Locks
  notices: Notices
  clock: Clock
  serverTime: ServerTime
}

export function createSession(ports: SessionPorts): Session {
  const { sessionStore, notices } = ports
  const endForeign = () => ends.endForeign()
  const current = createCurrentUser()
  const credentials = createCredentials({ ...ports, endForeign })
  const endedSessions = createEndedSessions(ports)
  const allTokens = createTokens({ ...ports, current, credentials, endedSessions, endForeign })
  const ends = createLogout({ ...ports, credentials, endedSessions, tokens: allTokens })
  const findUser = createFindUser({ ...ports, current, credentials, endedSessions, tokens: allTokens })
  const { start, user, reload, sync } = findUser
  const tokens = { ...allTokens, getFresh: findUser.getFresh }
  const parts = { ...ports, credentials, tokens }
  const { isActive, isSession, read } = credentials

  function accept(answer: AuthAnswer): UserRecord {
    tokens.accept(answer, sessionStore.read(), current.nextId())
    const accepted = current.user()
    if (accepted) return accepted
    throw new LatchkeyError('missing_or_invalid_token', 'The tokens are for another app')
  }

  notices.listen(() => {
    sync().catch(() => {
      // The next request for the user gets the error or succeeds.
    })
  })

  return {
    state: current.state,
    subscribe: current.subscribe,
    start,
    user,
    reloadUser: reload,
    storedToken: () => read().accessToken,
    async activeToken(options) {
      const session = await tokens.getFresh((now) => !isActive(now.accessToken), options)
      return session && isActive(session.accessToken) ? session.accessToken : null
    },
    async replaceToken(refused, options) {
      const isWorthless = (token: string | null) => token === refused || !isActive(token)
      const session = await tokens.getFresh((now) => isWorthless(now.accessToken), options)
      return session?.accessToken ?? null
    },
    hostToken: createHostToken(parts),
    logIn: createLogIn({ ...ports, tokens, endedSessions, accept }),
    accept,
    replaceUser(replacement) {
      if (current.user()?.id === replacement.id)
        current.update({ status: 'authenticated', user: replacement })
    },
    logout: ends.logout,
    hasCredentials: () => isSession(read()),
  }
}

/**
 * The identity-only token for the host page. Its lifetime is relative, because the host page's clock may be wrong.
 */
export type HostToken = { token: string; expiresInSeconds: number }

function createHostToken(ports: {
  serverTime: ServerTime
  credentials: Credentials
  tokens: Tokens
}): (options?: Cancellable) => Promise<HostToken | null> {
  const { serverTime, credentials, tokens } = ports
  return async (options) => {
    const session = await tokens.getFresh((now) => !credentials.isActive(now.hostToken), options)
    const token = session?.hostToken ?? null
    const claims = credentials.isActive(token) ? readClaims(token) : undefined
    if (token === null || !claims) return null
    return { token, expiresInSeconds: Math.floor(claims.exp - serverTime.nowMs() / 1_000) }
  }
}

/** Ends sessions at the server and in this browser. */
function createLogout(ports: {
  clock: Clock
  sessionStore: SessionStore
  credentials: Credentials
  endedSessions: EndedSessions
  tokens: Pick<Tokens, 'end' | 'inLock'>
}) {
  const { clock, sessionStore, credentials, endedSessions, tokens } = ports

  /** Settles after the first call, whether it failed or not. A failed call is repeated later. */
  function notifyServer(ending: StoredSession, rest: StoredSession): Promise<void> {
    const call = endedSessions.endStored(ending, rest)
    call.catch(() => tokens.inLock(() => endedSessions.report())).catch(() => {})
    return call.catch(() => {})
  }

  return {
    /** Calls the server, then clears the browser, even if the server does not answer. */
    async logout() {
      const ending = sessionStore.read()
      if (credentials.isSession(ending)) {
        // A forked token alone has no session at the server yet.
        const hasTokens = (ending.accessToken ?? ending.refreshToken) !== null
        const call = notifyServer(ending, hasTokens ? ending : noSession)
        await Promise.race([call, wait(clock, sessionLimits.logoutWaitMs)])
      }
      // A login that began meanwhile stays.
      if ([ending, noSession].some((each) => isSameSession(sessionStore.read(), each))) tokens.end()
    },
    /** Clears tokens of another app at once, because nothing here can use them. */
    endForeign() {
      const ending = sessionStore.read()
      if (credentials.isSession(ending)) void notifyServer(ending, noSession)
      tokens.end()
    },
  }
}
