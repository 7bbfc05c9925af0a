/** Creates OAuth errors with the codes of `protocol/capabilities/provider/requests.ts`. */
import { LatchkeyError } from '@latchkey/protocol'
import type { crossAppRefusals } from '@latchkey/protocol/api'
import { toLatchkeyError } from '../../../kernel/http/failures.ts'
import { ProviderRefusal } from '../access.ts'

type Code = (typeof crossAppRefusals)[number]
const statuses: Readonly<Record<Code, ProviderRefusal['status']>> = {
  invalid_token: 401,
  insufficient_scope: 403,
  invalid_request: 400,
  wallet_not_connected: 403,
  daily_limit_exceeded: 403,
  unsupported_chain: 400,
  too_many_requests: 429,
  temporarily_unavailable: 503,
}

export const refusal = (code: Code, description: string): ProviderRefusal =>
  new ProviderRefusal(statuses[code], code, description)

/** Converts an error of the server to an OAuth error. Returns undefined for an internal error. */
export function toRefusal(error: unknown): ProviderRefusal | undefined {
  if (error instanceof ProviderRefusal) return error
  const { code, message } = toLatchkeyError(error)
  switch (code) {
    case 'payload_too_large':
    case 'unsupported_media_type':
    case 'invalid_data':
    case 'invalid_message':
      return refusal('invalid_request', message)
    case 'must_be_authenticated':
    case 'missing_or_invalid_token':
      return refusal('invalid_token', message)
    case 'too_many_requests':
      return refusal('too_many_requests', message)
    case 'unavailable':
      return refusal('temporarily_unavailable', message)
    default:
      return undefined
  }
}

/** Replaces characters that RFC 6749, 5.2 does not allow in a description, and truncates. For node and contract texts. */
const LONGEST_DESCRIPTION = 300
export const describable = (text: string): string =>
  text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ').slice(0, LONGEST_DESCRIPTION)

export const getRetryAfter = (error: unknown): number | undefined =>
  error instanceof LatchkeyError ? error.retryAfterSeconds : undefined
