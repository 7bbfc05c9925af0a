import { expect, test } from 'vitest'
import { statusOf } from './statuses.ts'

/** As hosts and the dialog know them. */
const statuses = {
  400: `missing_or_invalid_latchkey_app_id missing_or_invalid_latchkey_client_id invalid_captcha captcha_disabled
    cannot_link_more_of_type linked_to_another_user cannot_unlink_sole_account cannot_unlink_embedded_wallet
    share_malformed not_supported token_already_used invalid_pkce_parameters unsupported_chain_id
    twilio_verification_failed user_unsubscribed oauth_state_mismatch pkce_state_code_mismatch oauth_user_denied
    oauth_account_suspended oauth_unexpected outcome_unknown`,
  401: `must_be_authenticated missing_or_invalid_token missing_or_invalid_mfa expired_or_invalid_mfa_token
    allowlist_rejected`,
  403: `insufficient_scope invalid_origin missing_origin origin_not_allowed disallowed_login_method
    max_accounts_reached device_revoked disallowed_recovery_method cross_app_connection_not_allowed untrusted_proxy
    method_too_new`,
  404: 'not_found embedded_wallet_not_found linked_account_not_found user_does_not_exist',
  408: 'client_request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_data invalid_credentials invalid_message',
  425: 'request_in_progress',
  429: 'too_many_requests',
  500: 'internal_error',
  502: 'email_not_sent',
  503: 'unavailable',
}

test.each(Object.entries(statuses))('%s is the status of its codes', (status, codes) => {
  for (const code of codes.split(/\s+/))
    expect([code, statusOf(code as never)]).toEqual([code, Number(status)])
})

test('any other code is a plain 400', () => {
  expect(statusOf('wallet_not_on_device')).toBe(400)
})
