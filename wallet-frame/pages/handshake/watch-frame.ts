/** A page that goes away does not always tell those that it opened, so its frame is looked at each second. */
import { confirmLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'

export type Watched = {
  isGone: () => boolean
  /** True once the caller no longer needs to know. */
  isOver: () => boolean
  onGone: () => void
}

export function watchFrame(clock: Clock, watched: Watched): void {
  if (watched.isOver()) return
  if (watched.isGone()) watched.onGone()
  else clock.after(confirmLimits.statusPollMs, () => watchFrame(clock, watched))
}
