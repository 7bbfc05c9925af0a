/** How often a call is tried, and how long is waited in between. */
import { apiLimits, type LatchkeyError } from '@latchkey/protocol'
import type { Clock, Network } from '../browser/ports.ts'
import { orAborted, stopIfAborted, wait } from '../browser/waiting.ts'

export type Attempt =
  | { result: 'answered'; data: unknown }
  | {
      result: 'refused'
      error: LatchkeyError
      /** `at once`: what was wrong is set right by now. */
      again: 'later' | 'at once' | 'no'
    }

export type Patience = {
  retries: number
  signal: AbortSignal | undefined
  /** Whoever is told that a call waits for the network, and that it goes on; without it, a call does not wait. */
  onNetwork: ((offline: boolean) => void) | undefined
}

/** What can be wrong of a proof and is set right by the answer: the time in it, and the number of a cookie. */
const CORRECTIONS = 2

export async function withRetries(
  { clock, network }: { clock: Clock; network: Network },
  { retries, signal, onNetwork }: Patience,
  attemptOnce: () => Promise<Attempt>,
): Promise<unknown> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  let corrections = 0
  for (let retried = 0; ; ) {
    stopIfAborted(signal)
    if (onNetwork && !network.isOnline()) {
      onNetwork(true)
      await orAborted(network.whenOnline(), signal).finally(() => onNetwork(false))
    }
    const attempt = await attemptOnce()
    if (attempt.result === 'answered') return attempt.data
    const { error, again } = attempt
    // It was lost on the way, so this try counts for nothing.
    if (onNetwork && again === 'later' && !network.isOnline()) continue
    if (again === 'at once' && corrections < CORRECTIONS) {
      corrections += 1
      continue
    }
    const waitMs = Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1_000)
    // A server that asks for more patience than one call has is not asked again.
    if (again !== 'later' || retried >= retries || waitMs > apiLimits.timeoutMs) throw error
    await wait(clock, waitMs, signal)
    delayMs *= apiLimits.retryDelayFactor
    retried += 1
  }
}
