/** Waits for a person's phone: asks at even pauses whether it has approved, for as long as that may take. */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { wait, within } from '../browser/waiting.ts'

type Poll<Answer> = {
  clock: Clock
  pollMs: number
  waitMs: number
  signal: AbortSignal
  /** Somebody waits for it still. */
  isPresent: () => boolean
  /** Undefined while there is nothing to tell. */
  ask: () => Promise<Answer | undefined>
}

/** Undefined for whoever is no longer waited for. */
export async function pollPhone<Answer>({
  clock,
  pollMs,
  waitMs,
  signal,
  isPresent,
  ask,
}: Poll<Answer>): Promise<Answer | undefined> {
  const until = clock.nowMs() + waitMs
  for (;;) {
    await wait(clock, pollMs, signal)
    if (!isPresent()) return undefined
    // A phone that was elsewhere wakes up late: its last question is asked all the same.
    const patienceMs = Math.max(until - clock.nowMs(), pollMs)
    const answer = await within(clock, patienceMs, ask(), tooLate).catch(unlessPassing)
    if (!isPresent()) return undefined
    if (answer !== undefined) return answer
    if (clock.nowMs() >= until) throw tooLate()
  }
}

/** The next question may be answered. */
const passing: readonly ErrorCode[] = [
  'client_request_timeout',
  'internal_error',
  'request_in_progress',
  'server_unreachable',
  'unavailable',
]

function unlessPassing(error: unknown): undefined {
  const { code } = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
  if (!passing.includes(code)) throw error
}

const tooLate = () => new LatchkeyError('client_request_timeout', 'The request was not approved in time')
