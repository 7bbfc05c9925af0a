import type { ErrorCode } from './error-codes.ts'

/** Codes of the catalogue that nothing sends, each with its reason: what it names does not come about here. */
export const reservedCodes = {
  already_logged_out: 'A second logout is answered as the first was: a call that is sent again does no harm.',
  cannot_set_password:
    'Any wallet that its user can open can be given a password; who may not choose one hears `disallowed_recovery_method`.',
  captcha_failure:
    "The captcha's own screen says it and lets the user try again. Who leaves that screen ends the call with `exited_auth_flow`.",
  device_revoked:
    'A browser is known by its session and its key alone: once the session has ended, it hears `missing_or_invalid_token`.',
  embedded_wallet_password_already_exists:
    'A second password takes the place of the first, on the screen that changes it.',
  embedded_wallet_password_unconfirmed:
    'A password counts only once it was typed twice alike. Who leaves that screen ends the call with `user_exited_set_password_flow`.',
  invalid_app_url_scheme_configuration:
    'Logins go back to web origins alone, so no scheme of a native app is configured; another address is `invalid_origin`.',
  invalid_native_app_id: 'Calls come from pages: a native app has no header that names it.',
  legacy_dashboard_login_configuration: 'There is no older way to configure logins.',
  max_apps_reached: 'The operator makes apps on the command line, as many as they want.',
  max_denylist_entries_reached: 'An app has an allowlist and no denylist.',
  missing_or_invalid_latchkey_account_id:
    'An account is named in the body of a call: one that is missing is `invalid_data`, one that the user does not have `linked_account_not_found`.',
  not_visible:
    'A card that the browser does not show in whole is not approved, and says what helps; its call waits.',
  user_does_not_exist:
    'Who logs in for the first time becomes a user. The dialog has the screen for servers that let no one join.',
  wallet_password_exists: 'As `embedded_wallet_password_already_exists`.',
} as const satisfies { [Code in ErrorCode]?: string }
