/** One dialog: whoever needs it takes a turn. Fifty may wait. */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'

export type Turns<Waiting> = {
  readonly join: (waiting: Waiting) => void
  readonly leave: (waiting: Waiting) => void
  readonly next: () => Waiting | undefined
  readonly some: (is: (waiting: Waiting) => boolean) => boolean
}

export function createTurns<Waiting>(): Turns<Waiting> {
  const line: Waiting[] = []
  return {
    join(waiting) {
      if (line.length >= channelLimits.maxQueuedCalls) {
        throw new LatchkeyError('too_many_requests', 'Too many requests wait for the user')
      }
      line.push(waiting)
    },
    leave(waiting) {
      const at = line.indexOf(waiting)
      if (at !== -1) line.splice(at, 1)
    },
    next: () => line.shift(),
    some: (is) => line.some(is),
  }
}
