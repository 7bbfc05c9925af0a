/**
 * The tokens of the session: taken over from answers, renewed before they run out, ended.
 *
 * One refresh at a time: callers in this tab share it, and a lock makes tabs take turns. Whoever waited for the
 * lock looks first whether the tab before has done the work. An answer that comes after a logout is dropped. The
 * server hears first of what ended before: nothing of that is carried on.
 */
import { product, sessionLimits } from '@latchkey/protocol'
import { type AuthAnswer, type RefreshAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { ProofMaker } from '../api/proof.ts'
import type { Transport } from '../api/transport.ts'
import type { Locks, Notices } from '../browser/ports.ts'
import { createShared } from '../browser/shared.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import { type EndedSessions, isOver } from './ended-sessions.ts'
import {
  type KeptSession,
  type SessionKeeper,
  type SessionMode,
  sameSession,
  updateSession,
} from './kept-session.ts'
import type { SessionMarker } from './marker.ts'
import { isForAnotherApp } from './token.ts'
import type { Who } from './who.ts'

export type TokenPorts = {
  appId: string
  mode: SessionMode
  transport: Transport
  proofs: Pick<ProofMaker, 'prepare'>
  keeper: SessionKeeper
  marker: SessionMarker
  locks: Locks
  notices: Notices
  who: Who
  credentials: Credentials
  endedSessions: Pick<EndedSessions, 'tell'>
  /** Ends a session whose tokens turn out to be another app's. */
  endForeign: () => void
}

type IsNeeded = (kept: KeptSession) => boolean

export type Tokens = {
  /** Takes over what the server gave to this question. */
  take: (answer: RefreshAnswer | AuthAnswer, before: KeptSession, question: number) => void
  /** Here only; the server is told by a logout. */
  end: () => void
  /**
   * False when another tab had done it already: the tokens are fresh then, but nothing was heard of the user.
   */
  refresh: (isNeeded: IsNeeded, asker?: Cancellable) => Promise<boolean>
  /** The kept session, refreshed first where that is needed; null for a visitor. */
  fresh: (isNeeded: IsNeeded, asker?: Cancellable) => Promise<KeptSession | null>
  /** Runs while no tab refreshes. */
  inLock: <T>(run: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

export function createTokens(ports: TokenPorts): Tokens {
  const { appId, mode, transport, proofs, keeper, marker, notices, who, credentials, endedSessions } = ports
  const lockName = product.storageName(appId, 'refresh')
  const joinRefresh = createShared<boolean>()

  /** The key that proves the call comes before the lock: a browser that is slow to give it holds no tab up. */
  async function inLock<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await orAborted(proofs.prepare(), signal)
    return ports.locks.hold(lockName, sessionLimits.refreshLockDeadlineMs, run, signal)
  }

  function end() {
    keeper.clear()
    marker.remove()
    who.learn({ status: 'visitor' })
    notices.tell()
  }

  function take(answer: RefreshAnswer | AuthAnswer, before: KeptSession, question: number) {
    const kept = updateSession(before, answer, mode)
    if (isForAnotherApp(kept.accessToken, appId)) {
      keeper.write(kept)
      ports.endForeign()
      return
    }
    if (answer.sessionUpdateAction === 'clear') {
      end()
      return
    }
    keeper.write(kept)
    if (answer.user) who.learn({ status: 'authenticated', user: answer.user }, { question })
    notices.tell()
  }

  async function refreshInLock(isNeeded: IsNeeded, signal: AbortSignal): Promise<boolean> {
    await endedSessions.tell({ retries: 0 }).catch(() => {})
    const kept = credentials.read()
    if (!credentials.isSession(kept)) {
      who.learn({ status: 'visitor' })
      return true
    }
    if (!isNeeded(kept)) return false
    const question = who.question()
    try {
      const answer = await askForTokens(kept, signal)
      if (sameSession(keeper.read(), kept) && !keeper.isEnding()) take(answer, kept, question)
    } catch (error) {
      if (!isOver(error)) throw error
      if (sameSession(keeper.read(), kept)) end()
    }
    return true
  }

  function askForTokens(kept: KeptSession, signal: AbortSignal): Promise<RefreshAnswer> {
    const { accessToken: token, forkedToken } = kept
    if (!credentials.canRefresh(kept) && forkedToken !== null) {
      // A forked refresh token has dots, a one-use code of `forkSession` has none.
      return forkedToken.includes('.')
        ? transport.send(sessionRoutes.recoverFork, { refreshToken: forkedToken }, { token, signal })
        : transport.send(sessionRoutes.redeemSessionCode, { code: forkedToken }, { token, signal })
    }
    return transport.send(sessionRoutes.refreshSession, credentials.presented(kept), { token, signal })
  }

  const refresh = (isNeeded: IsNeeded, { signal }: Cancellable = {}) =>
    joinRefresh((wanted) => inLock(() => refreshInLock(isNeeded, wanted), wanted), signal)

  return {
    take,
    end,
    refresh,
    inLock,
    async fresh(isNeeded, asker) {
      const { read, isSession } = credentials
      if (!isSession(read())) return null
      if (isNeeded(read())) await refresh(isNeeded, asker)
      const kept = read()
      return isSession(kept) ? kept : null
    },
  }
}
