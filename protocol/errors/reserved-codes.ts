import type { ErrorCode } from './error-codes.ts'

/** Codes that are never sent, with the reason for each. */
export const reservedCodes = {
  already_logged_out: 'Logout is idempotent: a repeated call gets the same response.',
  cannot_set_password:
    'Any wallet that the user can open can get a password. If the app does not allow passwords, the call is `disallowed_recovery_method`.',
  captcha_failure:
    'The captcha screen shows the failure and lets the user retry. Leaving the screen is `exited_auth_flow`.',
  device_revoked:
    'A browser is identified by its session and key alone. After the session has ended, calls are `missing_or_invalid_token`.',
  embedded_wallet_password_already_exists:
    'A new password replaces the old one, on the screen that changes it.',
  embedded_wallet_password_unconfirmed:
    'A password must be entered twice identically. Leaving the screen is `user_exited_set_password_flow`.',
  invalid_app_url_scheme_configuration:
    'Logins only return to web origins, so native URL schemes cannot be configured. Other addresses are `invalid_origin`.',
  invalid_native_app_id: 'Calls come from web pages only. Native apps have no identifying header.',
  legacy_dashboard_login_configuration: 'There is no legacy login configuration.',
  max_apps_reached: 'The operator creates apps on the command line, without a limit.',
  max_denylist_entries_reached: 'Apps have an allowlist, but no denylist.',
  missing_or_invalid_latchkey_account_id:
    'Accounts are identified in the body of a call. A missing one is `invalid_data`, and an unlinked one is `linked_account_not_found`.',
  not_visible:
    'A card that is not fully visible cannot be approved and shows how to fix that. The call stays pending.',
  user_does_not_exist:
    'The first login creates a user. The dialog has the screen for servers that do not accept new users.',
  wallet_password_exists: 'See `embedded_wallet_password_already_exists`.',
} as const satisfies { [Code in ErrorCode]?: string }
