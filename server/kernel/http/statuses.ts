/** HTTP statuses of the error codes. Codes without an entry are 400. */
import type { ErrorCode } from '@latchkey/protocol'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

const statuses: { [code in ErrorCode]?: ContentfulStatusCode } = {
  // Malformed requests, and failures of the requested action.
  missing_or_invalid_latchkey_app_id: 400,
  missing_or_invalid_latchkey_client_id: 400,
  invalid_captcha: 400,
  captcha_disabled: 400,
  cannot_link_more_of_type: 400,
  linked_to_another_user: 400,
  cannot_unlink_sole_account: 400,
  cannot_unlink_embedded_wallet: 400,
  embedded_wallet_already_exists: 400,
  share_malformed: 400,
  not_supported: 400,
  token_already_used: 400,
  invalid_pkce_parameters: 400,
  unsupported_chain_id: 400,
  twilio_verification_failed: 400,
  user_unsubscribed: 400,
  oauth_state_mismatch: 400,
  pkce_state_code_mismatch: 400,
  oauth_user_denied: 400,
  oauth_account_suspended: 400,
  oauth_unexpected: 400,
  // The chain rejected the transaction.
  transaction_failure: 400,
  // No status that the browser retries: the response would be the same.
  outcome_unknown: 400,
  // Not authenticated.
  must_be_authenticated: 401,
  missing_or_invalid_token: 401,
  missing_or_invalid_mfa: 401,
  expired_or_invalid_mfa_token: 401,
  allowlist_rejected: 401,
  login_denied: 401,
  // Not permitted.
  insufficient_scope: 403,
  invalid_origin: 403,
  missing_origin: 403,
  origin_not_allowed: 403,
  disallowed_login_method: 403,
  max_accounts_reached: 403,
  device_revoked: 403,
  device_not_bound: 403,
  disallowed_recovery_method: 403,
  method_too_new: 403,
  cross_app_connection_not_allowed: 403,
  untrusted_proxy: 403,
  approval_required_elsewhere: 403,
  user_rejected_request: 403,
  // Not found.
  not_found: 404,
  embedded_wallet_not_found: 404,
  linked_account_not_found: 404,
  user_does_not_exist: 404,
  client_request_timeout: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  // Invalid input, including wrong codes.
  invalid_data: 422,
  invalid_credentials: 422,
  invalid_recovery_pin: 422,
  invalid_message: 422,
  too_many_requests: 429,
  mfa_verification_max_attempts_reached: 429,
  // In progress: the client repeats the call later.
  request_in_progress: 425,
  // Server errors. The browser retries those in `apiLimits.retriedStatuses`.
  internal_error: 500,
  email_not_sent: 502,
  unavailable: 503,
}

export const statusForCode = (code: ErrorCode): ContentfulStatusCode => statuses[code] ?? 400
export const hasStatus = (code: ErrorCode) => Object.hasOwn(statuses, code)
