/**
 * One creation a user: who asks for it while it runs joins it. It ends with the session of its user, so that nobody who
 * logs in meanwhile is given it, or has it made in their name.
 */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { orAborted } from '../../browser/waiting.ts'
import type { Session } from '../../session/session.ts'

type Running<T> = {
  userId: string
  outcome: Promise<T>
  controller: AbortController
}

export function createOnePerUser<T>(session: Pick<Session, 'subscribe'>) {
  let running: Running<T> | undefined

  session.subscribe((state) => {
    if (!running || (state.status === 'authenticated' && state.user.id === running.userId)) return
    running.controller.abort(
      new LatchkeyError('must_be_authenticated', 'The user was logged out while the wallet was made'),
    )
    running = undefined
  })

  return ({ id }: UserRecord, create: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (running?.userId === id) return running.outcome
    const controller = new AbortController()
    const { signal } = controller
    const begun: Running<T> = {
      userId: id,
      controller,
      outcome: orAborted(create(signal), signal).finally(() => {
        if (running === begun) running = undefined
      }),
    }
    running = begun
    return begun.outcome
  }
}
