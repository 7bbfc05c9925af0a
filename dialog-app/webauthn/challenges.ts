/**
 * One challenge until it is answered. A browser makes a passkey only within a few seconds after a press; on a line on
 * which the challenge takes longer than that, it is there already when the user presses once more.
 */
import { passkeyLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'

export type Challenges<Begun> = {
  present: () => Promise<Begun>
  /** It was answered, and counts no more. */
  spend: () => void
}

export function createChallenges<Begun>(clock: Clock, begin: () => Promise<Begun>): Challenges<Begun> {
  let kept: { begun: Begun; untilMs: number } | undefined
  return {
    async present() {
      if (kept && clock.nowMs() < kept.untilMs) return kept.begun
      const begun = await begin()
      if (begun !== undefined) kept = { begun, untilMs: clock.nowMs() + passkeyLimits.challengeLifetimeMs }
      return begun
    },
    spend() {
      kept = undefined
    },
  }
}
