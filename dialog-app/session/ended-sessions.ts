/**
 * Sessions that are over here and that the server has still to hear of: of a logout that it did not hear, and of a
 * login whose caller was gone before its answer. Kept on the disk until it has heard, so that whatever tab or visit
 * comes next tells it.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type AuthAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { Sending, Transport } from '../api/transport.ts'
import type { EndedSession, KeptSession, SessionKeeper, SessionMode } from './kept-session.ts'
import type { SessionMarker } from './marker.ts'

/** How often it is tried again; as often as any call unless told. */
type Patience = Pick<Sending, 'retries'>

export type EndedSessions = {
  /**
   * Asks the server once to end the session, and remembers that first. If that call fails, `tell` repeats it. The
   * browser keeps `rest` until the answer.
   */
  endKept: (kept: KeptSession, rest: KeptSession) => Promise<void>
  /** In cookie mode the answer of a login that nobody waits for may bring a cookie, even when this tab is gone. */
  expectCookie: () => void
  /** What the login started is over. */
  undo: (answer: AuthAnswer) => void
  /** The cookie is of a login that was taken over. */
  ownCookie: () => void
  /**
   * Tells the server of all that it has not heard. Only for the holder of the lock: a cookie that is sent here is
   * of the session that ended, and of no other that began meanwhile.
   */
  tell: (patience?: Patience) => Promise<void>
}

export function createEndedSessions(ports: {
  mode: SessionMode
  transport: Transport
  keeper: SessionKeeper
  marker: SessionMarker
}): EndedSessions {
  const { transport, keeper, marker } = ports
  const byCookie = ports.mode === 'cookie'

  function remember(ended: EndedSession, session: KeptSession) {
    keeper.end(ended, session)
    if (byCookie) marker.remove()
  }

  async function send(ended: EndedSession, sending: Omit<Sending, 'token'> = {}) {
    const { accessToken: token, refreshToken } = ended
    try {
      await transport.send(sessionRoutes.logout, refreshToken === null ? {} : { refreshToken }, {
        token,
        ...sending,
      })
    } catch (error) {
      if (!isOver(error)) throw error
    }
    keeper.forget(ended)
  }

  return {
    endKept({ accessToken, refreshToken }, rest) {
      const ended = { accessToken, refreshToken, byCookie }
      keeper.end(ended, rest)
      return send(ended, { retries: 0, keepalive: true })
    },
    expectCookie() {
      if (byCookie) remember(unknownCookie, keeper.read())
    },
    undo({ token: accessToken, refreshToken }) {
      remember({ accessToken, refreshToken, byCookie }, keeper.read())
      keeper.forget(unknownCookie)
    },
    ownCookie() {
      for (const ended of keeper.ended()) if (ended.byCookie) keeper.forget(ended)
    },
    async tell(patience) {
      for (const ended of keeper.ended()) {
        if (ended.byCookie) marker.remove()
        await send(ended, patience)
      }
    },
  }
}

const unknownCookie: EndedSession = { accessToken: null, refreshToken: null, byCookie: true }

/** The server says that this session is over. Anything else may be better at the next try. */
export const isOver = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'missing_or_invalid_token' || error.code === 'token_already_used')
