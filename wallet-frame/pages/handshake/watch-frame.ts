/** Polls a frame each second, because a page that goes away does not always notify the pages it opened. */
import { confirmLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'

export type Watched = {
  isGone: () => boolean
  /** Returns whether the caller no longer needs to know. */
  isOver: () => boolean
  onGone: () => void
}

export function watchFrame(clock: Clock, watched: Watched): void {
  if (watched.isOver()) return
  if (watched.isGone()) watched.onGone()
  else clock.after(confirmLimits.statusPollMs, () => watchFrame(clock, watched))
}
