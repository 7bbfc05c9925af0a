/** Retries calls with a backoff. */
import { apiLimits, type LatchkeyError } from '@latchkey/protocol'
import type { Clock, Network } from '../browser/ports.ts'
import { orAborted, throwIfAborted, wait } from '../browser/waiting.ts'

export type Attempt =
  | { result: 'answered'; data: unknown }
  | {
      result: 'refused'
      error: LatchkeyError
      /** `at once`: the response corrected the cause. */
      again: 'later' | 'at once' | 'no'
    }

export type RetryOptions = {
  retries: number
  signal: AbortSignal | undefined
  /**
   * Receives true while the call waits for the network, and false when it continues. Without it, a call does not
   * wait.
   */
  onNetwork: ((offline: boolean) => void) | undefined
}

/** A response can correct two values of a proof: its time and its cookie counter. */
const CORRECTIONS = 2

export async function withRetries(
  { clock, network }: { clock: Clock; network: Network },
  { retries, signal, onNetwork }: RetryOptions,
  attemptOnce: () => Promise<Attempt>,
): Promise<unknown> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  let corrections = 0
  for (let retried = 0; ; ) {
    throwIfAborted(signal)
    if (onNetwork && !network.isOnline()) {
      onNetwork(true)
      await orAborted(network.whenOnline(), signal).finally(() => onNetwork(false))
    }
    const attempt = await attemptOnce()
    if (attempt.result === 'answered') return attempt.data
    const { error, again } = attempt
    // The network was lost during this attempt, so it does not count.
    if (onNetwork && again === 'later' && !network.isOnline()) continue
    if (again === 'at once' && corrections < CORRECTIONS) {
      corrections += 1
      continue
    }
    const waitMs = Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1_000)
    // Gives up if the server asks for a longer delay than one call may take.
    if (again !== 'later' || retried >= retries || waitMs > apiLimits.timeoutMs) throw error
    await wait(clock, waitMs, signal)
    delayMs *= apiLimits.retryDelayFactor
    retried += 1
  }
}
