/**
 * The named screens of the dialog. There are no URL routes. A name stands here when a capability of the dialog has
 * its record; Ours are SIGNED_IN, for the
 * dialog as a page of its own, LINK_ACCOUNT_SCREEN and UNLINK_SCREEN.
 */
export const screenNames = [
  'LANDING',
  'AWAITING_PASSWORDLESS_CODE',
  'LINK_EMAIL_SCREEN',
  'LINK_PHONE_SCREEN',
  'LINK_ACCOUNT_SCREEN',
  'UPDATE_EMAIL_SCREEN',
  'UNLINK_SCREEN',
  'AFFIRMATIVE_CONSENT_SCREEN',
  'ERROR_SCREEN',
  'ALLOWLIST_REJECTION_SCREEN',
  'ACCOUNT_NOT_FOUND_SCREEN',
  'USER_LIMIT_REACHED_SCREEN',
  'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
  'EMBEDDED_WALLET_CREATED_SCREEN',
  'EMBEDDED_WALLET_CONNECTING_SCREEN',
  'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
  'SIGNED_IN',
] as const

export type ScreenName = (typeof screenNames)[number]
