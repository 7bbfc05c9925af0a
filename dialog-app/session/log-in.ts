/**
 * A login, from the call to the session that it starts. What was sent is heard to its end even when its caller is
 * gone: then what the server began is ended. No tab refreshes meanwhile, and none ends what this one begins.
 */
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { Body, Output, RouteName, Transport } from '../api/transport.ts'
import { abortErrorOf, type Cancellable, orAborted, stopIfAborted } from '../waiting.ts'
import type { Endings } from './endings.ts'
import type { Tokens } from './tokens.ts'

/** The calls that answer with a session. */
type LoginRoute = { [Name in RouteName]: Output<Name> extends AuthAnswer ? Name : never }[RouteName]

export type LogIn = <Name extends LoginRoute>(
  name: Name,
  body: Body<Name>,
  asker?: Cancellable,
) => Promise<AuthAnswer>

export function createLogIn(ports: {
  readonly transport: Transport
  readonly tokens: Pick<Tokens, 'inLock'>
  readonly endings: Endings
  readonly accept: (answer: AuthAnswer) => unknown
}): LogIn {
  const { transport, tokens, endings, accept } = ports

  async function ask(send: () => Promise<AuthAnswer>, signal: AbortSignal | undefined) {
    await endings.tell({ retries: 0 }).catch(() => {})
    stopIfAborted(signal)
    signal?.addEventListener('abort', endings.expectCookie)
    const stopExpecting = () => signal?.removeEventListener('abort', endings.expectCookie)
    try {
      const answer = await send().finally(stopExpecting)
      if (!signal?.aborted) return takeOver(answer)
      endings.undo(answer)
      throw abortErrorOf(signal)
    } catch (error) {
      if (signal?.aborted) await endings.tell()
      throw error
    }
  }

  function takeOver(answer: AuthAnswer): AuthAnswer {
    endings.ownCookie()
    accept(answer)
    return answer
  }

  return (name, body, asker = {}) => {
    const { signal } = asker
    const send = () => transport.send(name, body, { ...asker, token: null, heardOut: true })
    return orAborted(
      tokens.inLock(() => ask(send, signal), signal),
      signal,
    )
  }
}
