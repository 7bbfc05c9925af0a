/**
 * A login, from the call to the session that it starts. What was sent is heard to its end even when its caller is
 * gone: then what the server began is ended. No tab refreshes meanwhile, and none ends what this one begins.
 */
import type { AuthAnswer, authAnswerSchema, Route, RouteBody } from '@latchkey/protocol/api'
import type { Asker, Transport } from '../api/transport.ts'
import { abortErrorOf, orAborted, stopIfAborted } from '../browser/waiting.ts'
import type { EndedSessions } from './ended-sessions.ts'
import type { Tokens } from './tokens.ts'

/** A call that answers with a session. */
type LoginRoute = Route & { output: typeof authAnswerSchema }

export type LogIn = <R extends LoginRoute>(
  route: R,
  body: RouteBody<R>,
  asker?: Pick<Asker, 'signal' | 'headers'>,
) => Promise<AuthAnswer>

export function createLogIn(ports: {
  transport: Transport
  tokens: Pick<Tokens, 'inLock'>
  endedSessions: EndedSessions
  accept: (answer: AuthAnswer) => unknown
}): LogIn {
  const { transport, tokens, endedSessions, accept } = ports

  async function ask(send: () => Promise<AuthAnswer>, signal: AbortSignal | undefined) {
    await endedSessions.tell({ retries: 0 }).catch(() => {})
    stopIfAborted(signal)
    signal?.addEventListener('abort', endedSessions.expectCookie)
    const stopExpecting = () => signal?.removeEventListener('abort', endedSessions.expectCookie)
    try {
      const answer = await send().finally(stopExpecting)
      if (!signal?.aborted) return takeOver(answer)
      endedSessions.undo(answer)
      throw abortErrorOf(signal)
    } catch (error) {
      if (signal?.aborted) await endedSessions.tell()
      throw error
    }
  }

  function takeOver(answer: AuthAnswer): AuthAnswer {
    endedSessions.ownCookie()
    accept(answer)
    return answer
  }

  return (route, body, asker = {}) => {
    const { signal } = asker
    const send = () => transport.send(route, body, { ...asker, token: null, heardOut: true })
    return orAborted(
      tokens.inLock(() => ask(send, signal), signal),
      signal,
    )
  }
}
