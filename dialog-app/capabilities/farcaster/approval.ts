/** Waits for a person's phone: asks every 2 s whether it has approved, for 120 s. */
import { type ErrorCode, farcasterLimits, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { channelTokenHeader, farcasterRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { FlowPorts } from '../../core/ports.ts'
import { wait, within } from '../../waiting.ts'

type Status = RouteOutput<typeof farcasterRoutes.farcasterStatus>
type Completed = Extract<Status, { readonly state: 'completed' }>
/** What the login or the link is made with. */
export type Approval = { readonly channelToken: string } & Pick<Completed, 'message' | 'signature' | 'fid'>

/** Undefined for whoever is no longer waited for. */
export async function approvalOf(
  { api, clock }: Pick<FlowPorts, 'api' | 'clock'>,
  channelToken: string,
  { signal, isPresent }: { readonly signal: AbortSignal; readonly isPresent: () => boolean },
): Promise<Approval | undefined> {
  const { pollMs, waitMs } = farcasterLimits
  const asker = { signal, onNetwork: () => {}, headers: { [channelTokenHeader]: channelToken } }
  const until = clock.nowMs() + waitMs
  for (;;) {
    await wait(clock, pollMs, signal)
    if (!isPresent()) return undefined
    // A phone that was elsewhere wakes up late: its last question is asked all the same.
    const patienceMs = Math.max(until - clock.nowMs(), pollMs)
    const asked = api.call(farcasterRoutes.farcasterStatus, undefined, asker)
    const status = await within(clock, patienceMs, asked, tooLate).catch(unlessPassing)
    if (!isPresent()) return undefined
    if (status?.state === 'completed') {
      const { message, signature, fid } = status
      return { channelToken, message, signature, fid }
    }
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
