/**
 * Runs one creation per user. Concurrent calls share it. It aborts when the user's session ends, so that the next user
 * does not receive the wallet.
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
    const creation: Running<T> = {
      userId: id,
      controller,
      outcome: orAborted(create(signal), signal).finally(() => {
        if (running === creation) running = undefined
      }),
    }
    running = creation
    return creation.outcome
  }
}
