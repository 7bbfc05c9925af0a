/** HTTP calls to Farcaster servers: the relay and the signer API. */
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import { farcasterClientLimits } from './limits.ts'

export type ServiceFailure = { type: 'too many' } | { type: 'failed'; why: string }

type ServiceResponse = { status: number; body: unknown }

/** Returns undefined for invalid JSON. */
export async function askService(
  url: string,
  request: RequestInit & { party: 'farcaster relay' | 'farcaster api' },
): Promise<ServiceResponse> {
  const response = await fetchThirdParty(url, request)
  return { status: response.status, body: await response.json().catch(() => undefined) }
}

/** Timeouts, network errors and unexpected responses are failures. */
export const answered = <Answer>(asked: () => Promise<Answer | ServiceFailure>) =>
  asked().catch((cause: unknown): ServiceFailure => ({ type: 'failed', why: String(cause) }))

export const refusedWith = (status: number): ServiceFailure =>
  status === 429 ? { type: 'too many' } : { type: 'failed', why: `status ${status}` }

/** Logs the reason of a failure for the operator. */
export function serviceRefusal(
  { log }: Pick<ServerContext, 'log'>,
  service: string,
  failure: ServiceFailure,
): LatchkeyError {
  switch (failure.type) {
    case 'too many':
      return new LatchkeyError('too_many_requests', 'Too many requests. Please wait before trying again.', {
        retryAfterSeconds: farcasterClientLimits.tooManySeconds,
      })
    case 'failed':
      log.error({ why: failure.why }, `${service} failed`)
      return new LatchkeyError('unavailable', 'Farcaster did not answer. Please try again.')
    default:
      return failure satisfies never
  }
}
