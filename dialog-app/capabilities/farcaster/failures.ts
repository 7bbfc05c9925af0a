/** What AWAITING_FARCASTER_CONNECTION says of an error, and whether it offers to try again: the table of the specification. */
import type { ErrorCode } from '@latchkey/protocol'
import type { FarcasterTexts } from './texts.en.ts'

export type FarcasterFailure = {
  readonly text: keyof FarcasterTexts['failures']
  readonly isRetryable: boolean
}

const failures: { readonly [code in ErrorCode]?: FarcasterFailure } = {
  linked_to_another_user: { text: 'linked', isRetryable: false },
  invalid_credentials: { text: 'credentials', isRetryable: true },
  too_many_requests: { text: 'limit', isRetryable: false },
  client_request_timeout: { text: 'timeout', isRetryable: true },
  // The specification has no text for these.
  cannot_link_more_of_type: { text: 'onlyOne', isRetryable: false },
  disallowed_login_method: { text: 'notAllowed', isRetryable: false },
}

const anyOther: FarcasterFailure = { text: 'unexpected', isRetryable: true }

export const failureOf = (code: ErrorCode): FarcasterFailure => failures[code] ?? anyOther
