/**
 * Keeps one challenge until it is answered. Browsers create passkeys only within seconds after a press, so on a slow
 * connection the next press reuses the loaded challenge.
 */
import { passkeyLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'

export type Challenges<Begun> = {
  present: () => Promise<Begun>
  /** Discards the challenge after it was answered. */
  spend: () => void
}

export function createChallenges<Begun>(clock: Clock, begin: () => Promise<Begun>): Challenges<Begun> {
  let pending: Promise<Begun> | undefined
  let prefetched: { begun: Begun; untilMs: number } | undefined
  return {
    async present() {
      if (prefetched && clock.nowMs() < prefetched.untilMs) return prefetched.begun
      pending ??= begin().finally(() => {
        pending = undefined
      })
      const challenge = await pending
      if (challenge !== undefined)
        prefetched = { begun: challenge, untilMs: clock.nowMs() + passkeyLimits.challengeLifetimeMs }
      return challenge
    },
    spend() {
      prefetched = undefined
    },
  }
}
