/** Evaluates the stored session. It is read from storage on every call, because another tab may have changed it. */
import type { ServerTime } from '../api/server-time.ts'
import type { SessionMarker } from './marker.ts'
import { noSession, type SessionMode, type SessionStore, type StoredSession } from './stored-session.ts'
import { isActive, isForAnotherApp } from './token.ts'

export type Credentials = {
  isActive: (token: string | null) => token is string
  /**
   * In cookie mode the refresh token is invisible. Its marker cookie or an earlier access token shows that it exists.
   */
  canRefresh: (session: StoredSession) => boolean
  isSession: (session: StoredSession) => boolean
  /** Returns the stored session. A session of another app is ended instead. */
  read: () => StoredSession
  /** Returns the request body that presents the refresh token. It is empty if the browser sends the cookie. */
  refreshBody: (session: StoredSession) => { refreshToken?: string }
}

export function createCredentials(ports: {
  appId: string
  mode: SessionMode
  sessionStore: SessionStore
  marker: SessionMarker
  serverTime: ServerTime
  endForeign: () => void
}): Credentials {
  const { appId, mode, sessionStore, marker, serverTime } = ports
  const active = (token: string | null): token is string => isActive(token, serverTime.nowMs())
  const canRefresh = (session: StoredSession) =>
    session.refreshToken !== null ||
    (mode === 'cookie' && (session.accessToken !== null || marker.isPresent()))
  return {
    isActive: active,
    canRefresh,
    isSession: (session) =>
      canRefresh(session) || session.forkedToken !== null || active(session.accessToken),
    read() {
      const session = sessionStore.read()
      if (!isForAnotherApp(session.accessToken, appId)) return session
      ports.endForeign()
      return noSession
    },
    refreshBody: ({ refreshToken }) =>
      refreshToken === null || (mode === 'cookie' && marker.isPresent()) ? {} : { refreshToken },
  }
}
