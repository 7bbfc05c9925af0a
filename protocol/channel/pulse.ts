/** Finds out, while somebody waits long, whether the other window still answers. */
import { channelLimits } from '../limits/limits.ts'

export type Pulse = {
  /** Beats from now on, or no more. */
  readonly keep: (wanted: boolean) => void
}

/** `beat` resolves when the other window answered; `onSilent` runs when it did not for the whole deadline. */
export function createPulse(beat: () => Promise<unknown>, onSilent: () => void): Pulse {
  let timer: ReturnType<typeof setInterval> | undefined
  let unanswered = 0

  function next() {
    if (unanswered * channelLimits.pulseIntervalMs >= channelLimits.pulseDeadlineMs) {
      onSilent()
      return
    }
    unanswered += 1
    beat().then(
      () => {
        unanswered = 0
      },
      () => {},
    )
  }

  return {
    keep(wanted) {
      if (wanted === (timer !== undefined)) return
      clearInterval(timer)
      unanswered = 0
      timer = wanted ? setInterval(next, channelLimits.pulseIntervalMs) : undefined
    },
  }
}
