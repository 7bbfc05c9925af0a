/** Texts of failed window logins, and whether they offer a retry. */
import type { ErrorTable } from '../contract/error-table.ts'
import type { Texts as WindowLoginTexts } from './texts.arb'

export type WindowFailure = {
  text: keyof WindowLoginTexts['failures']
  isRetryable: boolean
}

export const failures: ErrorTable<WindowFailure> = {
  byCode: {
    linked_to_another_user: { text: 'linked', isRetryable: false },
    invalid_credentials: { text: 'credentials', isRetryable: true },
    oauth_user_denied: { text: 'denied', isRetryable: true },
    too_many_requests: { text: 'limit', isRetryable: false },
    oauth_account_suspended: { text: 'suspended', isRetryable: false },
    cannot_link_more_of_type: { text: 'onlyOne', isRetryable: false },
    oauth_unexpected: { text: 'unexpected', isRetryable: false },
    pkce_state_code_mismatch: { text: 'phishing', isRetryable: false },
    // The specification has no text for a request without a response. Another attempt may succeed.
    client_request_timeout: { text: 'unexpected', isRetryable: true },
    server_unreachable: { text: 'unexpected', isRetryable: true },
    unavailable: { text: 'unexpected', isRetryable: true },
    outcome_unknown: { text: 'unexpected', isRetryable: true },
    not_found: { text: 'unexpected', isRetryable: true },
    disallowed_login_method: { text: 'notAllowed', isRetryable: false },
  },
  other: { text: 'unexpected', isRetryable: false },
}

/** Failures of messenger providers, where a rate limit is the server's own. */
export const messengerFailures: ErrorTable<WindowFailure> = {
  ...failures,
  byCode: { ...failures.byCode, too_many_requests: { text: 'ownLimit', isRetryable: false } },
}
