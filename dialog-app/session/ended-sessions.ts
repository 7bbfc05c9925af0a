/**
 * Sessions that ended in this browser and must still be ended at the server: after a failed logout, or a login that its
 * caller aborted before the response. They are stored until the server has confirmed, so that any later tab or visit
 * can report them.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type AuthAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { SendOptions, Transport } from '../api/transport.ts'
import type { SessionMarker } from './marker.ts'
import type { EndedSession, SessionMode, SessionStore, StoredSession } from './stored-session.ts'

/** Overrides the number of retries. */
type RetryOptions = Pick<SendOptions, 'retries'>

export type EndedSessions = {
  /**
   * Sends one logout for the session after storing it as ended. `report` repeats a failed call. The browser keeps
   * `rest` until the answer.
   */
  endStored: (session: StoredSession, rest: StoredSession) => Promise<void>
  /** In cookie mode, the answer of an aborted login may still set a cookie, even after this tab closes. */
  expectCookie: () => void
  /** Ends the session that the aborted login started. */
  undo: (answer: AuthAnswer) => void
  /** Marks the cookie as owned by an accepted login. */
  claimCookie: () => void
  /**
   * Reports all stored sessions to the server. Requires the lock, so that a sent cookie belongs to the ended session
   * and not to a newer one.
   */
  report: (options?: RetryOptions) => Promise<void>
}

export function createEndedSessions(ports: {
  mode: SessionMode
  transport: Transport
  sessionStore: SessionStore
  marker: SessionMarker
}): EndedSessions {
  const { transport, sessionStore, marker } = ports
  const byCookie = ports.mode === 'cookie'

  function remember(ended: EndedSession, session: StoredSession) {
    sessionStore.end(ended, session)
    if (byCookie) marker.remove()
  }

  async function send(ended: EndedSession, sending: Omit<SendOptions, 'token'> = {}) {
    const { accessToken: token, refreshToken } = ended
    try {
      await transport.send(sessionRoutes.logout, refreshToken === null ? {} : { refreshToken }, {
        token,
        ...sending,
      })
    } catch (error) {
      if (!isSessionOver(error)) throw error
    }
    sessionStore.forget(ended)
  }

  return {
    endStored({ accessToken, refreshToken }, rest) {
      const ended = { accessToken, refreshToken, byCookie }
      sessionStore.end(ended, rest)
      return send(ended, { retries: 0, keepalive: true })
    },
    expectCookie() {
      if (byCookie) remember(unknownCookie, sessionStore.read())
    },
    undo({ token: accessToken, refreshToken }) {
      remember({ accessToken, refreshToken, byCookie }, sessionStore.read())
      sessionStore.forget(unknownCookie)
    },
    claimCookie() {
      for (const ended of sessionStore.ended()) if (ended.byCookie) sessionStore.forget(ended)
    },
    async report(options) {
      for (const ended of sessionStore.ended()) {
        if (ended.byCookie) marker.remove()
        await send(ended, options)
      }
    },
  }
}

const unknownCookie: EndedSession = { accessToken: null, refreshToken: null, byCookie: true }

/** Returns whether the server reports that the session is over. Other errors may be temporary. */
export const isSessionOver = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'missing_or_invalid_token' || error.code === 'token_already_used')
