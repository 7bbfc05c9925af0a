/** All error codes, grouped by sender. */

/**
 * A code is for programs, `message` is for users, `details` is for developers. Errors cross boundaries as plain values,
 * because thrown errors lose their code, and are recreated on arrival.
 */

/** Codes that the loader returns to its caller. */
const callerCodes = [
  'oauth_account_suspended',
  'missing_or_invalid_latchkey_app_id',
  'missing_or_invalid_latchkey_account_id',
  'missing_or_invalid_token',
  'invalid_data',
  'invalid_captcha',
  'linked_to_another_user',
  'cannot_link_more_of_type',
  'failed_to_link_account',
  'allowlist_rejected',
  'oauth_user_denied',
  'oauth_unexpected',
  'unknown_auth_error',
  'exited_auth_flow',
  'exited_link_flow',
  'user_exited_set_password_flow',
  'must_be_authenticated',
  'unknown_connect_wallet_error',
  'generic_connect_wallet_error',
  'client_request_timeout',
  'invalid_credentials',
  'missing_or_invalid_mfa',
  'unknown_mfa_error',
  'embedded_wallet_already_exists',
  'embedded_wallet_not_found',
  'unknown_embedded_wallet_error',
  'embedded_wallet_password_unconfirmed',
  'embedded_wallet_password_already_exists',
  'embedded_wallet_recovery_already_exists',
  'transaction_failure',
  'unsupported_chain_id',
  'not_supported',
  'captcha_timeout',
  'invalid_message',
  'unable_to_sign',
  'captcha_failure',
  'captcha_disabled',
  'session_storage_unavailable',
  'too_many_requests',
  'max_accounts_reached',
  'disallowed_login_method',
  'passkey_not_allowed',
  'user_does_not_exist',
  'host_login_absent',
  'host_login_failed',
] as const

/** Codes of the server. */
const serverCodes = [
  'missing_or_invalid_latchkey_client_id',
  'expired_or_invalid_mfa_token',
  'cannot_unlink_embedded_wallet',
  'cannot_unlink_sole_account',
  'linked_account_not_found',
  'invalid_origin',
  'missing_origin',
  'invalid_native_app_id',
  'token_already_used',
  'already_logged_out',
  'user_unsubscribed',
  'max_apps_reached',
  'device_revoked',
  'wallet_password_exists',
  'oauth_state_mismatch',
  'max_denylist_entries_reached',
  'disallowed_recovery_method',
  'legacy_dashboard_login_configuration',
  'cannot_set_password',
  'invalid_pkce_parameters',
  'invalid_app_url_scheme_configuration',
  'cross_app_connection_not_allowed',
  'pkce_state_code_mismatch',
  'twilio_verification_failed',
  'not_found',
  'unsupported_media_type',
  'payload_too_large',
  'insufficient_scope',
  'email_not_sent',
  'internal_error',
  'unavailable',
  'outcome_unknown',
  'request_in_progress',
  'untrusted_proxy',
  'method_too_new',
  'login_denied',
] as const

/** Error types of the wallet frame. */
export const walletErrorTypes = [
  'error',
  'invalid_request_arguments',
  'wallet_not_on_device',
  'invalid_recovery_pin',
  'insufficient_funds',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
  'twilio_verification_failed',
] as const

/** Further codes of the wallet frame: invalid shares, envelopes and devices. */
const shareErrorCodes = [
  'share_mismatch',
  'share_malformed',
  'share_unknown_version',
  'envelope_unknown_version',
  'envelope_malformed',
  'envelope_refused',
  'vault_operation_unknown',
  'device_storage_unavailable',
  'device_not_bound',
] as const

/** Codes of window messaging. */
const boundaryCodes = [
  'unsupported_protocol',
  'invalid_message_envelope',
  'message_too_large',
  'message_replayed',
  'method_not_found',
  'invalid_answer',
  'call_timeout',
  'frame_reloaded',
  'frame_unresponsive',
  'channel_closed',
  'origin_not_allowed',
  'host_blocks_frame',
  'server_unreachable',
  'not_visible',
  'user_rejected_request',
  'wallet_request_pending',
  'approval_required_elsewhere',
  'client_destroyed',
  'call_cancelled',
  'call_not_sent',
] as const

export const errorCodes = [
  ...new Set([...callerCodes, ...serverCodes, ...walletErrorTypes, ...shareErrorCodes, ...boundaryCodes]),
] as const

export type ErrorCode =
  | (typeof callerCodes)[number]
  | (typeof serverCodes)[number]
  | (typeof walletErrorTypes)[number]
  | (typeof shareErrorCodes)[number]
  | (typeof boundaryCodes)[number]

const errorCodeSet: ReadonlySet<string> = new Set(errorCodes)
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && errorCodeSet.has(value)
