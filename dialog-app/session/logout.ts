/** Ends the session: here at once, at the server as soon as it hears of it. */
import { sessionLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { wait } from '../browser/waiting.ts'
import type { Credentials } from './credentials.ts'
import type { EndedSessions } from './ended-sessions.ts'
import type { SessionKeeper } from './kept-session.ts'
import type { Tokens } from './tokens.ts'

export function createLogout(ports: {
  readonly clock: Clock
  readonly keeper: SessionKeeper
  readonly credentials: Credentials
  readonly endedSessions: EndedSessions
  readonly tokens: Pick<Tokens, 'end' | 'inLock'>
}): () => Promise<void> {
  const { clock, keeper, credentials, endedSessions, tokens } = ports
  return async () => {
    const kept = keeper.read()
    const telling = credentials.isSession(kept) ? endedSessions.endKept(kept) : Promise.resolve()
    // What is not heard now is told at the next refresh, login or visit.
    const heard = telling.catch(() => tokens.inLock(() => endedSessions.tell())).catch(() => {})
    tokens.end()
    await Promise.race([heard, wait(clock, sessionLimits.logoutWaitMs)])
  }
}
