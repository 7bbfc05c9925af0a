/** Determines the current user from the stored session, the server, a one-use code, or another tab's changes. */

import type { UserRecord } from '@latchkey/protocol'
import { userRoutes } from '@latchkey/protocol/api'
import type { Transport } from '../api/transport.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import type { ChangeOrigin, CurrentUser, SessionState } from './current-user.ts'
import { type EndedSessions, isSessionOver } from './ended-sessions.ts'
import { noSession, type SessionStore } from './stored-session.ts'
import { readSubject } from './token.ts'
import type { Tokens } from './tokens.ts'

export type FindUser = {
  /** Determines the current user. A one-use code applies only to visitors; the host page may pass one later. */
  start: (oneUseCode?: string) => Promise<SessionState>
  /** Returns the user, or null for a visitor. */
  user: (options?: Cancellable) => Promise<UserRecord | null>
  /** Requests the user from the server again. */
  reload: (options?: Cancellable) => Promise<UserRecord | null>
  /** Applies a login, logout or refresh of another tab. */
  sync: () => Promise<void>
  /**
   * Returns the session like `Tokens.getFresh`, for the current user. Listeners first receive a login or logout of
   * another tab.
   */
  getFresh: Tokens['getFresh']
}

/** The server rejects any other text with `invalid_data`, on every attempt. */
const tokenPattern = /^[\w.-]+$/

export function createFindUser(ports: {
  transport: Transport
  sessionStore: SessionStore
  current: CurrentUser
  credentials: Credentials
  tokens: Tokens
  endedSessions: Pick<EndedSessions, 'report'>
}): FindUser {
  const { transport, sessionStore, current, credentials, tokens, endedSessions } = ports
  let pendingSync: Promise<void> | undefined
  let pendingStart: Promise<SessionState> | undefined
  let pendingCode: string | undefined

  async function load(options: Cancellable = {}, origin: ChangeOrigin = 'here'): Promise<void> {
    const isStale = (session: { accessToken: string | null }) => !credentials.isActive(session.accessToken)
    if (isStale(credentials.read()) && (await tokens.refresh(isStale, options))) return
    const { accessToken } = credentials.read()
    const request = current.nextId()
    try {
      const user = await transport.send(userRoutes.me, undefined, {
        token: accessToken,
        signal: options.signal,
      })
      const subject = getSubject()
      if (subject === user.id) current.update({ status: 'authenticated', user }, { request, origin })
      // Another tab logged in as another user meanwhile; the logout was already emitted.
      else if (subject !== undefined) await load(options, origin)
    } catch (error) {
      if (!isSessionOver(error)) throw error
      await tokens.refresh((now) => now.accessToken === accessToken, options)
    }
  }

  const getSubject = () => readSubject(credentials.read().accessToken)

  /** Returns whether the state matches the stored session. A refresh token alone does not name its user. */
  function isUpToDate(): boolean {
    const state = current.state()
    const isSession = credentials.isSession(credentials.read())
    switch (state.status) {
      case 'unknown':
        return true
      case 'visitor':
        return !isSession
      case 'authenticated':
        return isSession && (getSubject() ?? state.user.id) === state.user.id
      default:
        return state satisfies never
    }
  }

  async function runSync(): Promise<void> {
    if (isUpToDate()) return
    // Logs the previous user out, regardless of the response.
    current.update({ status: 'visitor' }, { origin: 'elsewhere' })
    if (credentials.isSession(credentials.read())) await load({}, 'elsewhere')
  }

  function sync(): Promise<void> {
    pendingSync ??= runSync().finally(() => {
      pendingSync = undefined
    })
    return pendingSync
  }

  async function restore(): Promise<SessionState> {
    // The logging-out tab was closed before the server answered.
    if (sessionStore.isEnding()) tokens.end()
    if (sessionStore.ended().length > 0) tokens.inLock(() => endedSessions.report()).catch(() => {})
    if (credentials.isSession(credentials.read())) await load()
    else current.update({ status: 'visitor' })
    return exchangeCode()
  }

  async function exchangeCode(): Promise<SessionState> {
    const code = pendingCode
    pendingCode = undefined
    const isVisitor = current.state().status === 'visitor' && !credentials.isSession(credentials.read())
    if (code !== undefined && isVisitor && tokenPattern.test(code)) {
      // Stored before the exchange, so that a lost answer or a reload keeps the session.
      sessionStore.write({ ...noSession, forkedToken: code })
      await load()
    }
    return current.state()
  }

  function start(oneUseCode?: string): Promise<SessionState> {
    pendingCode ??= oneUseCode
    if (!pendingStart || oneUseCode !== undefined) {
      pendingStart = (pendingStart?.then(exchangeCode) ?? restore()).catch((error: unknown) => {
        // The next caller retries.
        pendingStart = undefined
        throw error
      })
    }
    return pendingStart
  }

  return {
    start,
    async user({ signal } = {}) {
      if (current.state().status === 'unknown') await orAborted(start(), signal)
      else await orAborted(sync(), signal)
      return current.user()
    },
    async reload(options) {
      await load(options)
      return current.user()
    },
    sync,
    async getFresh(isNeeded, options = {}) {
      const session = await tokens.getFresh(isNeeded, options)
      if (isUpToDate()) return session
      await orAborted(sync(), options.signal)
      return tokens.getFresh(isNeeded, options)
    },
  }
}
