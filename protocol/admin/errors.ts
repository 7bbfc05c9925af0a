/** Error codes of the Admin API. A code never changes its meaning; new ones may be added. */

/** Each code with its HTTP status and its title in a problem document (RFC 9457). */
export const adminErrors = {
  missing_or_invalid_key: { status: 401, title: 'The admin key is missing or invalid' },
  key_revoked: { status: 401, title: 'The admin key was revoked' },
  key_expired: { status: 401, title: 'The admin key has expired' },
  address_not_allowed: { status: 403, title: 'The admin key does not accept this client address' },
  insufficient_scope: { status: 403, title: 'The admin key lacks a scope' },
  key_of_one_app: { status: 403, title: 'The admin key may act on one app only' },
  needs_proposal: { status: 403, title: 'A second operator must agree to this change' },
  browser_not_allowed: { status: 403, title: 'Browsers may not call the Admin API' },
  not_found: { status: 404, title: 'There is no such call' },
  app_not_found: { status: 404, title: 'There is no such app for this admin key' },
  user_not_found: { status: 404, title: 'There is no such user' },
  session_not_found: { status: 404, title: 'There is no such session' },
  webhook_not_found: { status: 404, title: 'There is no such webhook' },
  delivery_not_found: { status: 404, title: 'There is no such delivery' },
  requester_not_found: { status: 404, title: 'There is no such requester' },
  account_not_found: { status: 404, title: 'The user has no such account' },
  method_not_allowed: { status: 405, title: 'This path has no such method' },
  invalid_data: { status: 400, title: 'A field is invalid' },
  url_not_allowed: { status: 400, title: 'Webhooks may not be sent to this URL' },
  too_many_webhooks: { status: 409, title: 'The app has too many webhooks' },
  webhook_paused: { status: 409, title: 'The webhook is paused' },
  not_supported: { status: 409, title: 'This server does not support the setting' },
  already_blocked: { status: 409, title: 'The user is blocked already' },
  not_blocked: { status: 409, title: 'The user is not blocked' },
  sole_account: { status: 409, title: 'A user needs an account' },
  external_id_taken: { status: 409, title: 'Another user has the external id' },
  precondition_failed: { status: 412, title: 'The object has changed' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong' },
  unavailable: { status: 503, title: 'The server is busy' },
} as const

export type AdminErrorCode = keyof typeof adminErrors

/** Codes that every call may return. */
export const commonAdminErrors = [
  'missing_or_invalid_key',
  'key_revoked',
  'key_expired',
  'address_not_allowed',
  'insufficient_scope',
  'browser_not_allowed',
  'invalid_data',
  'too_many_requests',
  'internal_error',
  'unavailable',
] as const satisfies AdminErrorCode[]
