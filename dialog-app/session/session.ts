/**
 * Who is logged in, and the tokens that say so.
 *
 * The kept session is the truth, shared by every tab of this origin in this partition: it is read anew before
 * each decision. `tokens.ts` renews it, `who.ts` knows the user, `find-user.ts` finds out, `ended-sessions.ts` sees to it that
 * the server hears of an end.
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
import { createEndedSessions, type EndedSessions } from './ended-sessions.ts'
import { createFindUser } from './find-user.ts'
import {
  type KeptSession,
  noSession,
  type SessionKeeper,
  type SessionMode,
  sameSession,
} from './kept-session.ts'
import { createLogIn, type LogIn } from './log-in.ts'
import type { SessionMarker } from './marker.ts'
import { readClaims } from './token.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createWho, type SessionListener, type SessionState } from './who.ts'

export type { ChangeOrigin, SessionListener, SessionState } from './who.ts'

export type Session = TokenSource & {
  state: () => SessionState
  subscribe: (listener: SessionListener) => void
  /** Finds out who is logged in. A one-use code counts only where nobody is. */
  start: (oneUseCode?: string) => Promise<SessionState>
  /** The user, or null for a visitor. */
  user: (asker?: Cancellable) => Promise<UserRecord | null>
  /** Asks the server for the user again. What became known meanwhile, by a later question, stands. */
  reloadUser: (asker?: Cancellable) => Promise<UserRecord | null>
  hostToken: (asker?: Cancellable) => Promise<HostToken | null>
  /** Logs in. What the server did for a caller that was gone by then is undone. */
  logIn: LogIn
  /** Takes over the tokens of a login whose answer is here. */
  accept: (answer: AuthAnswer) => UserRecord
  /** The same user, as an answer of the server says it now. */
  replaceUser: (user: UserRecord) => void
  logout: () => Promise<void>
  hasCredentials: () => boolean
}

export type SessionPorts = {
  appId: string
  mode: SessionMode
  transport: Transport
  proofs: Pick<ProofMaker, 'prepare'>
  keeper: SessionKeeper
  marker: SessionMarker
  locks: Locks
  notices: Notices
  clock: Clock
  serverTime: ServerTime
}

export function createSession(ports: SessionPorts): Session {
  const { keeper, notices } = ports
  const endForeign = () => ends.endForeign()
  const who = createWho()
  const credentials = createCredentials({ ...ports, endForeign })
  const endedSessions = createEndedSessions(ports)
  const allTokens = createTokens({ ...ports, who, credentials, endedSessions, endForeign })
  const ends = createEnds({ ...ports, credentials, endedSessions, tokens: allTokens })
  const found = createFindUser({ ...ports, who, credentials, endedSessions, tokens: allTokens })
  const { start, user, reload, lookAgain } = found
  const tokens = { ...allTokens, fresh: found.fresh }
  const parts = { ...ports, credentials, tokens }
  const { isActive, isSession, read } = credentials

  function accept(answer: AuthAnswer): UserRecord {
    tokens.take(answer, keeper.read(), who.question())
    const accepted = who.user()
    if (accepted) return accepted
    throw new LatchkeyError('missing_or_invalid_token', 'The server gave tokens of another app')
  }

  notices.listen(() => {
    lookAgain().catch(() => {
      // Whoever asks for the user next hears of it, or finds that it works again.
    })
  })

  return {
    state: who.state,
    subscribe: who.subscribe,
    start,
    user,
    reloadUser: reload,
    storedToken: () => read().accessToken,
    async activeToken(asker) {
      const kept = await tokens.fresh((now) => !isActive(now.accessToken), asker)
      return kept && isActive(kept.accessToken) ? kept.accessToken : null
    },
    async replaceToken(refused, asker) {
      const isWorthless = (token: string | null) => token === refused || !isActive(token)
      const kept = await tokens.fresh((now) => isWorthless(now.accessToken), asker)
      return kept?.accessToken ?? null
    },
    hostToken: createHostToken(parts),
    logIn: createLogIn({ ...ports, tokens, endedSessions, accept }),
    accept,
    replaceUser(replacement) {
      if (who.user()?.id === replacement.id) who.learn({ status: 'authenticated', user: replacement })
    },
    logout: ends.logout,
    hasCredentials: () => isSession(read()),
  }
}

/** The one token that a host may have: it names the user and opens nothing. How long it still lives crosses as seconds: the clock of a host's page may be hours off. */
export type HostToken = { token: string; expiresInSeconds: number }

function createHostToken(ports: {
  serverTime: ServerTime
  credentials: Credentials
  tokens: Tokens
}): (asker?: Cancellable) => Promise<HostToken | null> {
  const { serverTime, credentials, tokens } = ports
  return async (asker) => {
    const kept = await tokens.fresh((now) => !credentials.isActive(now.hostToken), asker)
    const token = kept?.hostToken ?? null
    const claims = credentials.isActive(token) ? readClaims(token) : undefined
    if (token === null || !claims) return null
    return { token, expiresInSeconds: Math.floor(claims.exp - serverTime.nowMs() / 1_000) }
  }
}

/** Ends sessions at the server and in this browser. */
function createEnds(ports: {
  clock: Clock
  keeper: SessionKeeper
  credentials: Credentials
  endedSessions: EndedSessions
  tokens: Pick<Tokens, 'end' | 'inLock'>
}) {
  const { clock, keeper, credentials, endedSessions, tokens } = ports

  /** Settles after the first call, whether it failed or not. A failed call is repeated later. */
  function tellServer(ending: KeptSession, rest: KeptSession): Promise<void> {
    const telling = endedSessions.endKept(ending, rest)
    telling.catch(() => tokens.inLock(() => endedSessions.tell())).catch(() => {})
    return telling.catch(() => {})
  }

  return {
    /** Calls the server, then clears the browser, even if the server does not answer. */
    async logout() {
      const ending = keeper.read()
      if (credentials.isSession(ending)) {
        // A forked token alone has no session at the server yet.
        const hasTokens = (ending.accessToken ?? ending.refreshToken) !== null
        const telling = tellServer(ending, hasTokens ? ending : noSession)
        await Promise.race([telling, wait(clock, sessionLimits.logoutWaitMs)])
      }
      // A login that began meanwhile stays.
      if ([ending, noSession].some((each) => sameSession(keeper.read(), each))) tokens.end()
    },
    /** Clears tokens of another app at once, because nothing here can use them. */
    endForeign() {
      const ending = keeper.read()
      if (credentials.isSession(ending)) void tellServer(ending, noSession)
      tokens.end()
    },
  }
}
