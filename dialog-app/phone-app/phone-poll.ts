/** Polls at a fixed interval until the phone has approved or the deadline has passed. */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { wait, withDeadline } from '../browser/waiting.ts'

type Poll<Answer> = {
  clock: Clock
  pollMs: number
  waitMs: number
  signal: AbortSignal
  /** Returns whether the caller still waits. */
  isPresent: () => boolean
  /** Undefined while the approval is pending. */
  ask: () => Promise<Answer | undefined>
}

/** Resolves with undefined if the caller no longer waits. */
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
    // A suspended phone wakes up late, so one more poll follows the deadline.
    const patienceMs = Math.max(until - clock.nowMs(), pollMs)
    const answer = await withDeadline(clock, patienceMs, ask(), tooLate).catch(unlessPassing)
    if (!isPresent()) return undefined
    if (answer !== undefined) return answer
    if (clock.nowMs() >= until) throw tooLate()
  }
}

/** Returns whether a later poll may succeed. */
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
