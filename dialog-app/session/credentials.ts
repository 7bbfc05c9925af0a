/** What the kept session is worth now. It is read anew each time: another tab may have changed it. */
import type { ServerTime } from '../api/server-time.ts'
import { type KeptSession, noSession, type SessionKeeper, type SessionMode } from './kept-session.ts'
import type { SessionMarker } from './marker.ts'
import { isActive, isForAnotherApp } from './token.ts'

export type Credentials = {
  isActive: (token: string | null) => token is string
  /** In cookie mode the refresh token can not be seen, but the marker beside it, or the token it gave, can. */
  canRefresh: (kept: KeptSession) => boolean
  isSession: (kept: KeptSession) => boolean
  /** The kept session, unless it is another app's: that one is ended. */
  read: () => KeptSession
  /** The body by which a refresh token is presented; empty where the browser sends its cookie. */
  presented: (kept: KeptSession) => { refreshToken?: string }
}

export function createCredentials(ports: {
  appId: string
  mode: SessionMode
  keeper: SessionKeeper
  marker: SessionMarker
  serverTime: ServerTime
  endForeign: () => void
}): Credentials {
  const { appId, mode, keeper, marker, serverTime } = ports
  const active = (token: string | null): token is string => isActive(token, serverTime.nowMs())
  const canRefresh = (kept: KeptSession) =>
    kept.refreshToken !== null || (mode === 'cookie' && (kept.accessToken !== null || marker.isPresent()))
  return {
    isActive: active,
    canRefresh,
    isSession: (kept) => canRefresh(kept) || kept.forkedToken !== null || active(kept.accessToken),
    read() {
      const kept = keeper.read()
      if (!isForAnotherApp(kept.accessToken, appId)) return kept
      ports.endForeign()
      return noSession
    },
    presented: ({ refreshToken }) =>
      refreshToken === null || (mode === 'cookie' && marker.isPresent()) ? {} : { refreshToken },
  }
}
