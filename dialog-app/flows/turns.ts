/** One dialog: whoever needs it takes a turn. Fifty may wait. */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'

/** `left` settles when the dialog is free again, which may be after the caller has its answer. */
export type Turn<T> = { readonly outcome: Promise<T>; readonly left: Promise<void> }
export type TakeTurn = <T>(begin: () => Promise<Turn<T>>) => Promise<T>

export function createTurns(): TakeTurn {
  let waiting = 0
  let last = Promise.resolve()
  return async <T>(begin: () => Promise<Turn<T>>) => {
    if (waiting >= channelLimits.maxQueuedCalls) {
      throw new LatchkeyError('too_many_requests', 'Too many requests wait for the user')
    }
    waiting += 1
    const before = last
    const beginning = before.then(() => {
      waiting -= 1
      return begin()
    })
    // A turn that never began is over at once.
    last = beginning.then(({ left }) => left).catch(() => {})
    return (await beginning).outcome
  }
}
