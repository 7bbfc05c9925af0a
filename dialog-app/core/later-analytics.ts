/** Counting takes nothing from what the user waits for: while a card opens, events are kept until it has the focus. */
import { dialogLimits } from '@latchkey/protocol'
import type { Analytics } from '../api/analytics.ts'
import type { Clock } from '../ports.ts'

export type LaterAnalytics = {
  readonly analytics: Analytics
  readonly hold: () => void
  readonly release: () => void
}

export function createLaterAnalytics(send: Analytics, clock: Clock): LaterAnalytics {
  let kept: Parameters<Analytics>[] | undefined
  let stopTimer = () => {}

  function release() {
    stopTimer()
    const events = kept ?? []
    kept = undefined
    for (const event of events) send(...event)
  }

  return {
    analytics(...event) {
      if (kept) kept.push(event)
      else send(...event)
    },
    hold() {
      if (kept) return
      kept = []
      stopTimer = clock.after(dialogLimits.eventsHeldMs, release)
    },
    release,
  }
}
