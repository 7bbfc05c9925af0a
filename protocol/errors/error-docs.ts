/** The meaning of each code and the advice for it, for docs/reference/errors.md. Not used at run time. */
import type { ErrorCode } from './error-codes.ts'
import type { reservedCodes } from './reserved-codes.ts'

/** A part of the product that creates errors. `channel` is the messaging between windows. */
export type ErrorSender = 'loader' | 'dialog' | 'wallet' | 'server' | 'channel'

type ErrorDoc = [senders: ErrorSender[], meaning: string, action: string]

/** Codes that are sent. The others are in `reservedCodes`, with the reason. */
type SentCode = Exclude<ErrorCode, keyof typeof reservedCodes>

const retry = 'Let the user try again.'
const report = 'Report it with `details.requestId` and the log of the server.'
const ours = 'Report it: Latchkey sends no such message.'

export const errorDocs: { [Code in SentCode]: ErrorDoc } = {
  // Logins
  exited_auth_flow: [
    ['dialog'],
    'The user closed the dialog during a login.',
    'Show the page as before. This is a decision, not a failure.',
  ],
  exited_link_flow: [
    ['dialog'],
    'The user closed the dialog while an account was added or removed.',
    'Show the page as before.',
  ],
  user_exited_set_password_flow: [
    ['dialog'],
    'The user closed the screen that sets the recovery.',
    'Show the page as before. The wallet has its previous recovery.',
  ],
  invalid_credentials: [
    ['server'],
    'A code, a signature or a proof is wrong, expired, used, or from another browser.',
    'The dialog lets the user try again. On a webhook: compare the secret.',
  ],
  allowlist_rejected: [
    ['server'],
    'The app has an allowlist, and the account is not on it.',
    'Add the account with `latchkey app allowlist`, or set `allowlistConfig` to explain the refusal.',
  ],
  login_denied: [
    ['server'],
    'The hook `login.before` of the app denied the login. `details.reason` is its reason.',
    'The log of your hook has the decision. Without an answer of the hook, `on_failure` decides.',
  ],
  max_accounts_reached: [
    ['server'],
    'The app has `max_users` users.',
    'Raise the setting `max_users` of the app.',
  ],
  disallowed_login_method: [
    ['dialog', 'server'],
    'The app does not offer this login method.',
    'Enable it in the settings of the app, or remove it from `loginMethods`.',
  ],
  must_be_authenticated: [
    ['wallet', 'dialog', 'server'],
    'The call needs a user, and no user is logged in.',
    'Call `login()` first.',
  ],
  missing_or_invalid_token: [
    ['wallet', 'dialog', 'server'],
    'The access token is missing, malformed, expired, or of another app. `details.reason` names a failed proof.',
    'The dialog refreshes the session or logs the user out. In a backend: answer 401.',
  ],
  missing_or_invalid_latchkey_app_id: [
    ['loader', 'server'],
    'The app id does not have 25 characters, or the server does not know it.',
    'Compare `appId` with `latchkey app list`, and `dialogUrl` with your server.',
  ],
  missing_or_invalid_latchkey_client_id: [
    ['server'],
    'The header `latchkey-client-id` is malformed.',
    'Correct the header, or leave it out.',
  ],
  token_already_used: [
    ['server'],
    'The handle, code or confirmation was used before.',
    'Start the call again.',
  ],
  host_login_absent: [
    ['dialog'],
    'The page has a login of its own, and `auth.getToken` returned null.',
    'Let the user log in to your page first, then call `login()` again.',
  ],
  host_login_failed: [
    ['loader', 'dialog'],
    '`auth.getToken` threw, took longer than 10 s, or returned neither a token nor null.',
    'Read the error of `getToken` in the console of the page ([Your own login](../own-login.md)).',
  ],
  unknown_auth_error: [['dialog'], 'A login failed for a reason without a code of its own.', retry],
  client_request_timeout: [
    ['wallet', 'dialog'],
    'The server, a provider or a phone did not answer in time.',
    retry,
  ],
  session_storage_unavailable: [
    ['wallet', 'dialog'],
    'The browser stores no data for the dialog.',
    'In Playwright, enable storage partitioning ([Browser tests](../browser-tests.md)). Users: allow site data.',
  ],

  // OAuth and other providers
  oauth_user_denied: [['dialog', 'server'], 'The user refused at the provider.', retry],
  oauth_account_suspended: [
    ['server'],
    'The provider has suspended the account of the user.',
    'The user chooses another login method.',
  ],
  oauth_unexpected: [
    ['wallet', 'dialog', 'server'],
    'The provider answered with an error, or the window failed.',
    'Read the log line `An OAuth provider failed`, and compare the values of [Providers](../providers.md).',
  ],
  oauth_state_mismatch: [
    ['server'],
    'The response of the provider belongs to another login, or to another browser.',
    'Start the login again. Repeated cases may be an attack.',
  ],
  pkce_state_code_mismatch: [
    ['dialog', 'server'],
    'The returned code does not belong to the login that this browser started.',
    'Start the login again. Repeated cases may be an attack.',
  ],
  invalid_pkce_parameters: [
    ['server'],
    'The PKCE verifier does not match its challenge.',
    'Start the login again.',
  ],
  cross_app_connection_not_allowed: [
    ['dialog', 'server'],
    'The two apps are not connected, or one of them ended the connection.',
    'Register the connection ([Cross-app](../cross-app.md)).',
  ],
  user_unsubscribed: [
    ['server'],
    'The phone number has opted out of messages.',
    'The user replies START to the last message.',
  ],
  twilio_verification_failed: [
    ['server'],
    'Twilio sent no code to the number.',
    'Check number and country; read the log line `The SMS service failed`.',
  ],
  email_not_sent: [
    ['server'],
    'The mail server accepted no mail for this address.',
    'Check `SMTP_URL` with `latchkey doctor`.',
  ],
  passkey_not_allowed: [
    ['wallet', 'dialog'],
    'The user cancelled the passkey request, or the browser refused it.',
    retry,
  ],
  invalid_captcha: [
    ['server'],
    'The captcha token is missing, used, or not valid.',
    'Compare `captcha_site_key` with `TURNSTILE_SECRET_KEY`.',
  ],
  captcha_timeout: [['dialog'], 'The captcha did not finish in time.', retry],
  captcha_disabled: [
    ['dialog', 'server'],
    'A captcha is required, but page or server has no matching key.',
    'Set `captcha_site_key` of the app and `TURNSTILE_SECRET_KEY` of the server.',
  ],

  // Accounts
  linked_to_another_user: [
    ['server'],
    'The account or wallet belongs to another user of the app.',
    'The user logs in with it instead.',
  ],
  cannot_link_more_of_type: [
    ['dialog'],
    'The user already has an account of this type.',
    'Unlink the other account first.',
  ],
  failed_to_link_account: [['dialog'], 'The account could not be linked or unlinked.', retry],
  linked_account_not_found: [
    ['dialog', 'server'],
    'The user has no such account.',
    'Read `user.linkedAccounts` again.',
  ],
  cannot_unlink_sole_account: [
    ['server'],
    'A user keeps at least one account.',
    'Link another account first.',
  ],
  cannot_unlink_embedded_wallet: [
    ['dialog', 'server'],
    'An embedded wallet is no login method.',
    'Do not offer this for embedded wallets.',
  ],
  method_too_new: [
    ['server'],
    'The login method or factor is newer than `new_method_hours`, and no older evidence is present. `details.until` is its end.',
    'The user logs in with an older method, or waits.',
  ],

  // Second factors
  missing_or_invalid_mfa: [
    ['wallet', 'dialog', 'server'],
    'The call needs a second factor, which is missing, cancelled or wrong.',
    retry,
  ],
  expired_or_invalid_mfa_token: [['server'], 'The verification has expired or was used.', 'Verify again.'],
  mfa_verification_max_attempts_reached: [
    ['dialog', 'server'],
    'Too many wrong answers. `retryAfterSeconds` is the wait.',
    'Wait, then try again.',
  ],
  mfa_timeout: [['dialog'], 'No answer to a verification arrived in time.', retry],
  unknown_mfa_error: [['dialog'], 'A verification or an enrolment failed.', retry],

  // Wallets
  embedded_wallet_already_exists: [
    ['wallet', 'dialog', 'server'],
    'The user already has a wallet.',
    'Use it: it is in `user.linkedAccounts`.',
  ],
  embedded_wallet_not_found: [
    ['wallet', 'dialog', 'server'],
    'The user has no wallet of this kind.',
    'Call `createWallet()` first.',
  ],
  unknown_embedded_wallet_error: [
    ['wallet', 'dialog'],
    'The wallet could not be created, imported or recovered. `cause` has the reason.',
    retry,
  ],
  embedded_wallet_recovery_already_exists: [
    ['wallet', 'dialog'],
    'The recovery of the wallet was changed by another call or tab.',
    'Read the user again, then retry.',
  ],
  disallowed_recovery_method: [
    ['wallet', 'dialog', 'server'],
    'The app does not offer this recovery method, or the wallet has another one.',
    'Check the recovery settings of the app.',
  ],
  invalid_recovery_pin: [
    ['wallet', 'server'],
    'The recovery password or passkey does not open the wallet.',
    'The user tries another one. Without it, a new device cannot open the wallet.',
  ],
  wallet_not_on_device: [
    ['wallet', 'dialog'],
    'This device has no share of the wallet.',
    'The dialog starts the recovery.',
  ],
  insufficient_funds: [
    ['dialog'],
    'The balance does not cover value and fees.',
    'Call `fundWallet()`, or send less.',
  ],
  transaction_failure: [
    ['dialog', 'server'],
    'The chain refused the transaction, or did not confirm it.',
    'Read `details.code`, `cause` and the message of the chain.',
  ],
  unsupported_chain_id: [
    ['loader', 'dialog', 'server'],
    'The app or the wallet does not have this chain, or is on another one.',
    'Set `rpc_urls` of the chain, and switch with `wallet_switchEthereumChain`.',
  ],
  invalid_message: [
    ['loader', 'dialog', 'server', 'channel'],
    'The message cannot be signed: empty, not text, or reserved for a proof.',
    'Pass text, or bytes as `{ raw }`.',
  ],
  unable_to_sign: [['dialog'], "Another app's wallet did not sign.", retry],
  user_rejected_request: [
    ['loader', 'wallet', 'dialog', 'server'],
    'The user rejected the request.',
    'Show the page as before. This is a decision, not a failure.',
  ],
  wallet_request_pending: [
    ['dialog'],
    'An external wallet still shows an earlier request.',
    'The user answers that request first.',
  ],
  generic_connect_wallet_error: [
    ['dialog', 'channel'],
    'An external wallet answered incorrectly, or cannot be reached.',
    retry,
  ],
  unknown_connect_wallet_error: [
    ['dialog'],
    'An external wallet failed for a reason without a code of its own.',
    retry,
  ],
  approval_required_elsewhere: [
    ['dialog', 'server'],
    'The request needs the confirmation page, which cannot be opened here.',
    'Open the page in a browser that opens windows.',
  ],

  // Requests
  invalid_data: [
    ['loader', 'wallet', 'dialog', 'server', 'channel'],
    'A value of the call is not valid. `details.path` names it.',
    'Correct that value.',
  ],
  not_supported: [
    ['loader', 'wallet', 'dialog', 'server', 'channel'],
    'This browser, wallet, app or place does not support the call.',
    'Read the message. On a server, calls always reject with it.',
  ],
  too_many_requests: [
    ['wallet', 'dialog', 'server', 'channel'],
    'A rate limit was reached. `retryAfterSeconds` is the wait.',
    'Wait. [Limits](limits.md) lists them.',
  ],
  not_found: [['wallet', 'server'], 'The thing does not exist, or has expired.', 'Start the call again.'],
  insufficient_scope: [
    ['server'],
    'The token may not make this call.',
    'A host token identifies a user and changes nothing. Call the loader instead.',
  ],
  invalid_origin: [
    ['server', 'channel'],
    'The app does not list this origin, or the origin may not make the call.',
    'Add it: `latchkey app origins <id> add <origin>`.',
  ],
  missing_origin: [
    ['server'],
    'A changing call has no `Origin` header.',
    'Call from a page of the server only.',
  ],
  unsupported_media_type: [['server'], 'The body is not JSON.', 'Send `content-type: application/json`.'],
  payload_too_large: [['server'], 'The body is larger than the call allows.', 'Send less.'],
  untrusted_proxy: [
    ['server'],
    'A proxy header arrived from an address that `TRUSTED_PROXIES` does not list.',
    'Add your proxy to `TRUSTED_PROXIES`.',
  ],
  internal_error: [['dialog', 'server', 'channel'], 'A fault of Latchkey.', report],
  unavailable: [
    ['server'],
    'A dependency does not answer: a chain, a provider or a page that is not built.',
    'Retry later. Read `/readyz`.',
  ],
  outcome_unknown: [
    ['server'],
    'The call was interrupted, and may have had its effect.',
    'Check the effect before a retry.',
  ],
  request_in_progress: [
    ['server'],
    'The same request id is still being worked on.',
    'Wait `retryAfterSeconds`, then repeat it.',
  ],

  // The vault
  error: [['wallet', 'dialog'], 'The wallet failed for a reason without a code of its own.', report],
  invalid_request_arguments: [['wallet'], 'The vault refused the arguments of a call.', ours],
  share_mismatch: [
    ['wallet'],
    'The shares lead to another address than the expected one.',
    'The wallet is not used. Report it: a server may be lying.',
  ],
  share_malformed: [['server'], 'A share belongs to another wallet, or is not sealed to the server.', report],
  share_unknown_version: [['wallet'], 'A newer release wrote the share.', 'Upgrade the server.'],
  envelope_unknown_version: [['wallet'], 'A newer release sealed the data.', 'Upgrade the server.'],
  envelope_malformed: [['wallet'], 'Sealed data has another form than expected.', report],
  envelope_refused: [
    ['wallet'],
    'The data was not sealed to this step of this call.',
    'Start the call again.',
  ],
  vault_operation_unknown: [['wallet'], 'The call has ended in the vault.', 'Start the call again.'],
  device_storage_unavailable: [
    ['wallet'],
    'The browser did not store the device share.',
    'Users: allow site data and leave private mode.',
  ],
  device_not_bound: [
    ['wallet', 'server'],
    'The session has no device key, so it opens no wallet.',
    'The user logs in again on this device.',
  ],

  // Messages between windows
  origin_not_allowed: [
    ['server'],
    'The app does not list the origin of the page.',
    'Add it: `latchkey app origins <id> add <origin>`.',
  ],
  host_blocks_frame: [
    ['loader'],
    "The page's own policy blocks the frame.",
    "Allow the dialog's origin in `frame-src` ([directives](../../loader/README.md#what-a-hosts-policy-must-allow)).",
  ],
  server_unreachable: [
    ['loader', 'wallet', 'dialog'],
    'No server answers at the dialog URL, or a policy blocks the requests.',
    'Open `dialogUrl` in the browser; check `connect-src` and `script-src`.',
  ],
  frame_unresponsive: [
    ['loader', 'wallet', 'dialog', 'channel'],
    'The frame was removed, did not load, or stopped answering.',
    'Retry: the next call creates a new frame.',
  ],
  frame_reloaded: [['channel'], 'The frame was reloaded during the call.', 'Retry the call.'],
  channel_closed: [['dialog'], 'The other window is gone.', 'Retry the call.'],
  client_destroyed: [['loader'], '`destroy()` ended the client.', 'Create a new client.'],
  call_cancelled: [
    ['loader', 'wallet', 'dialog', 'channel'],
    "The caller's `signal` cancelled the call.",
    'Ignore it.',
  ],
  call_timeout: [['dialog', 'channel'], 'The other side did not answer in time.', 'Retry the call.'],
  call_not_sent: [['channel'], 'The message could not be sent.', 'Pass plain data only.'],
  method_not_found: [
    ['loader', 'dialog', 'channel'],
    'This release does not have the call.',
    'Upgrade the server, or the pinned loader.',
  ],
  unsupported_protocol: [
    ['dialog', 'channel'],
    'Loader and server are too far apart.',
    'Print the tag of the loader again: `latchkey app snippet <id>`.',
  ],
  invalid_answer: [
    ['dialog', 'wallet', 'channel'],
    'An answer does not have the form of its contract.',
    'Compare the releases of all servers behind the balancer.',
  ],
  invalid_message_envelope: [
    ['channel'],
    'A message is not plain data, or has no id.',
    'Pass plain data only.',
  ],
  message_too_large: [
    ['channel'],
    'A message is larger than its limit.',
    'Send less. [Limits](limits.md) lists them.',
  ],
  message_replayed: [['channel'], 'A message id was used before.', ours],
}
