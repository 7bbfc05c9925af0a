/**
 * Runs a login from the call to the stored session. The response is awaited even if the caller aborts, so that the
 * started session can be ended. No tab refreshes or ends sessions meanwhile.
 */
import type { AuthAnswer, authAnswerSchema, Route, RouteBody } from '@latchkey/protocol/api'
import type { CallOptions, Transport } from '../api/transport.ts'
import { orAborted, throwIfAborted, toAbortError } from '../browser/waiting.ts'
import type { EndedSessions } from './ended-sessions.ts'
import type { Tokens } from './tokens.ts'

/** A route that returns a session. */
type LoginRoute = Route & { output: typeof authAnswerSchema }

export type LogIn = <R extends LoginRoute>(
  route: R,
  body: RouteBody<R>,
  options?: Pick<CallOptions, 'signal' | 'headers'>,
) => Promise<AuthAnswer>

export function createLogIn(ports: {
  transport: Transport
  tokens: Pick<Tokens, 'inLock'>
  endedSessions: EndedSessions
  accept: (answer: AuthAnswer) => unknown
}): LogIn {
  const { transport, tokens, endedSessions, accept } = ports

  async function sendLogin(send: () => Promise<AuthAnswer>, signal: AbortSignal | undefined) {
    await endedSessions.report({ retries: 0 }).catch(() => {})
    throwIfAborted(signal)
    signal?.addEventListener('abort', endedSessions.expectCookie)
    const stopExpecting = () => signal?.removeEventListener('abort', endedSessions.expectCookie)
    try {
      const answer = await send().finally(stopExpecting)
      if (!signal?.aborted) return takeOver(answer)
      endedSessions.undo(answer)
      throw toAbortError(signal)
    } catch (error) {
      if (signal?.aborted) await endedSessions.report()
      throw error
    }
  }

  function takeOver(answer: AuthAnswer): AuthAnswer {
    endedSessions.claimCookie()
    accept(answer)
    return answer
  }

  return (route, body, options = {}) => {
    const { signal } = options
    const send = () => transport.send(route, body, { ...options, token: null, heardOut: true })
    return orAborted(
      tokens.inLock(() => sendLogin(send, signal), signal),
      signal,
    )
  }
}
