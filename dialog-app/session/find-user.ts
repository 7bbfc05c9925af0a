/** Finds out who is logged in: from what is kept, from the server, from a one-use code, from another tab. */

import type { UserRecord } from '@latchkey/protocol'
import { userRoutes } from '@latchkey/protocol/api'
import type { Transport } from '../api/transport.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import { type EndedSessions, isOver } from './ended-sessions.ts'
import { noSession, type SessionKeeper } from './kept-session.ts'
import { subjectOf } from './token.ts'
import type { Tokens } from './tokens.ts'
import type { ChangeOrigin, SessionState, Who } from './who.ts'

export type FindUser = {
  /** Finds out who is logged in. A one-use code counts only where nobody is; a host brings it when that is known. */
  start: (oneUseCode?: string) => Promise<SessionState>
  /** The user, or null for a visitor. */
  user: (asker?: Cancellable) => Promise<UserRecord | null>
  /** Asks the server for the user again. */
  reload: (asker?: Cancellable) => Promise<UserRecord | null>
  /** Another tab logged in or out, or renewed the tokens. */
  lookAgain: () => Promise<void>
  /**
   * A token as `Tokens.fresh` gives it, of the user who is known here: where another tab logged in or out
   * meanwhile, listeners hear of that first.
   */
  fresh: Tokens['fresh']
}

/** The server would refuse another text with `invalid_data`, again and again. */
const tokenPattern = /^[\w.-]+$/

export function createFindUser(ports: {
  transport: Transport
  keeper: SessionKeeper
  who: Who
  credentials: Credentials
  tokens: Tokens
  endedSessions: Pick<EndedSessions, 'tell'>
}): FindUser {
  const { transport, keeper, who, credentials, tokens, endedSessions } = ports
  let looking: Promise<void> | undefined
  let starting: Promise<SessionState> | undefined
  let pendingCode: string | undefined

  async function load(asker: Cancellable = {}, origin: ChangeOrigin = 'here'): Promise<void> {
    const isStale = (kept: { accessToken: string | null }) => !credentials.isActive(kept.accessToken)
    if (isStale(credentials.read()) && (await tokens.refresh(isStale, asker))) return
    const { accessToken } = credentials.read()
    const question = who.question()
    try {
      const user = await transport.send(userRoutes.me, undefined, {
        token: accessToken,
        signal: asker.signal,
      })
      const subject = presentSubject()
      if (subject === user.id) who.learn({ status: 'authenticated', user }, { question, origin })
      // Another tab logged somebody else in meanwhile. A logout was heard of already.
      else if (subject !== undefined) await load(asker, origin)
    } catch (error) {
      if (!isOver(error)) throw error
      await tokens.refresh((now) => now.accessToken === accessToken, asker)
    }
  }

  const presentSubject = () => subjectOf(credentials.read().accessToken)

  /** What is known here is what the browser keeps. A refresh token alone does not say whose it is. */
  function isUpToDate(): boolean {
    const state = who.state()
    const isSession = credentials.isSession(credentials.read())
    switch (state.status) {
      case 'unknown':
        return true
      case 'visitor':
        return !isSession
      case 'authenticated':
        return isSession && (presentSubject() ?? state.user.id) === state.user.id
      default:
        return state satisfies never
    }
  }

  async function look(): Promise<void> {
    if (isUpToDate()) return
    // Whoever was here is not any more, whatever is found out about who is.
    who.learn({ status: 'visitor' }, { origin: 'elsewhere' })
    if (credentials.isSession(credentials.read())) await load({}, 'elsewhere')
  }

  function lookAgain(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function findOut(): Promise<SessionState> {
    // The tab of a logout was closed before the server answered.
    if (keeper.isEnding()) tokens.end()
    if (keeper.ended().length > 0) tokens.inLock(() => endedSessions.tell()).catch(() => {})
    if (credentials.isSession(credentials.read())) await load()
    else who.learn({ status: 'visitor' })
    return exchangeCode()
  }

  async function exchangeCode(): Promise<SessionState> {
    const code = pendingCode
    pendingCode = undefined
    const isVisitor = who.state().status === 'visitor' && !credentials.isSession(credentials.read())
    if (code !== undefined && isVisitor && tokenPattern.test(code)) {
      // Stored before the exchange, so that a lost answer or a reload does not lose the session.
      keeper.write({ ...noSession, forkedToken: code })
      await load()
    }
    return who.state()
  }

  function start(oneUseCode?: string): Promise<SessionState> {
    pendingCode ??= oneUseCode
    if (!starting || oneUseCode !== undefined) {
      starting = (starting?.then(exchangeCode) ?? findOut()).catch((error: unknown) => {
        // The next one who asks tries again.
        starting = undefined
        throw error
      })
    }
    return starting
  }

  return {
    start,
    async user({ signal } = {}) {
      if (who.state().status === 'unknown') await orAborted(start(), signal)
      else await orAborted(lookAgain(), signal)
      return who.user()
    },
    async reload(asker) {
      await load(asker)
      return who.user()
    },
    lookAgain,
    async fresh(isNeeded, asker = {}) {
      const kept = await tokens.fresh(isNeeded, asker)
      if (isUpToDate()) return kept
      await orAborted(lookAgain(), asker.signal)
      return tokens.fresh(isNeeded, asker)
    },
  }
}
