/** Texts of failed logins with Farcaster, and whether they offer a retry. */
import type { ErrorTable } from '../../contract/error-table.ts'
import type { Texts as FarcasterTexts } from './texts.arb'

export type FarcasterFailure = {
  text: keyof FarcasterTexts['failures']
  isRetryable: boolean
}

export const failures: ErrorTable<FarcasterFailure> = {
  byCode: {
    linked_to_another_user: { text: 'linked', isRetryable: false },
    invalid_credentials: { text: 'credentials', isRetryable: true },
    too_many_requests: { text: 'limit', isRetryable: false },
    client_request_timeout: { text: 'timeout', isRetryable: true },
    // The specification has no text for these.
    cannot_link_more_of_type: { text: 'onlyOne', isRetryable: false },
    disallowed_login_method: { text: 'notAllowed', isRetryable: false },
  },
  other: { text: 'unexpected', isRetryable: true },
}
