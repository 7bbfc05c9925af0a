/**
 * All calls as they are on the wire, written out. A changed name or path breaks open pages, so it must be changed here
 * too.
 */
import type * as v from 'valibot'
import { expect, it } from 'vitest'
import { fromWire, toWire, wireName } from '../names/naming.ts'
import { apiPrefix, apiRoutes, type Route } from './index.ts'

type CallName = keyof typeof apiRoutes
const user = 'id created_at linked_accounts mfa_methods has_accepted_terms'
const refreshed = 'user token refresh_token host_token session_update_action'
const line = 'wallet_id user_id kind chain generation'

/** Method and path, input fields and output fields. */
const calls: Readonly<Record<CallName, readonly [string, string, string]>> = {
  // spec L7.8
  appConfig: [
    'GET /api/v1/apps/{appId}',
    '',
    [
      'id name verification_key logo_url icon_url accent_color theme show_wallet_login_first custom_api_url',
      'created_at updated_at allowlist_enabled allowlist_config allowed_domains allowed_native_app_ids',
      'allowed_native_app_url_schemes email_auth sms_auth google_oauth apple_oauth discord_oauth github_oauth',
      'linkedin_oauth spotify_oauth instagram_oauth twitter_oauth tiktok_oauth wallet_auth farcaster_auth',
      'passkey_auth telegram_auth telegram_auth_config terms_and_conditions_url privacy_policy_url',
      'require_users_accept_terms embedded_wallet_config solana_beside_ethereum solana_wallet_auth wallet_connect_cloud_project_id rpc_urls solana_rpc_urls chains test_networks sponsored_chains sponsored_clusters fiat_on_ramp_enabled',
      'cross_app_provider dapp_connections',
      'captcha_enabled captcha_site_key twitter_oauth_on_mobile_enabled oauth_tokens_to_host cross_origin_opener_policy card_typed_data mfa_methods',
      'enforce_wallet_uis legacy_wallet_ui_config',
    ].join(' '),
  ],
  quoteOperation: ['POST /api/v1/sponsor/quote', 'address chain_id calls', 'operation usd'],
  sendOperation: ['POST /api/v1/sponsor/send', 'address operation signatures', 'id state transaction_hash'],
  quoteSolanaTransaction: [
    'POST /api/v1/sponsor/solana/quote',
    'address cluster transaction',
    'transaction usd',
  ],
  signSolanaTransaction: [
    'POST /api/v1/sponsor/solana/sign',
    'address cluster transaction',
    'signature transaction',
  ],
  quoteDelegation: ['POST /api/v1/sponsor/delegation/quote', 'address chain_id delegate', 'delegation'],
  sendDelegation: [
    'POST /api/v1/sponsor/delegation/send',
    'address delegation signature',
    'id state transaction_hash',
  ],
  operationStatus: ['POST /api/v1/sponsor/status', 'id', 'id state transaction_hash'],
  verifyAuthorization: ['POST /api/v1/oauth/verify', 'interaction', 'requester scopes expires_in_seconds'],
  authorize: [
    'POST /api/v1/oauth/authorization_code',
    'decision interaction scopes address daily_usd',
    'finish_url secret',
  ],
  connectedApps: ['GET /api/v1/users/me/connected_apps', '', 'apps'],
  endConnectedApp: ['POST /api/v1/users/me/connected_apps/end', 'id', 'success'],
  appStatus: ['GET /api/v1/apps/{appId}/status', 'origin', 'status'],
  // spec L7.4
  refreshSession: ['POST /api/v1/sessions', 'refresh_token', refreshed],
  // spec L7.7
  forkSession: [
    'POST /api/v1/sessions/fork',
    'refresh_token',
    'token refresh_token new_session_refresh_token',
  ],
  // spec L7.5
  recoverFork: ['POST /api/v1/sessions/fork/recover', 'refresh_token', refreshed],
  // spec L7.6
  logout: ['POST /api/v1/sessions/logout', 'refresh_token', 'success'],
  revokeAllSessions: ['POST /api/v1/sessions/revoke_all', '', 'success'],
  listOwnSessions: ['GET /api/v1/users/me/sessions', '', 'sessions'],
  endOwnSession: ['POST /api/v1/users/me/sessions/end', 'id', 'success'],
  endOtherSessions: ['POST /api/v1/users/me/sessions/end_others', '', 'ended'],
  bindDevice: ['POST /api/v1/sessions/device', 'secret', 'success'],
  createSessionCode: ['POST /api/v1/sessions/code', '', 'code expires_in_seconds'],
  redeemSessionCode: ['POST /api/v1/sessions/code/redeem', 'code', refreshed],
  createHandover: ['POST /api/v1/sessions/handover', 'secret', 'code expires_in_seconds'],
  redeemHandover: ['POST /api/v1/sessions/handover/redeem', 'code', 'user token refresh_token'],
  refreshHandedOver: ['POST /api/v1/sessions/handover/refresh', 'refresh_token', 'user token refresh_token'],
  readCrossAppRequest: [
    'POST /api/v1/oauth/requests/read',
    'handle',
    'requester address request opener_origins expires_in_seconds',
  ],
  answerCrossAppRequest: ['POST /api/v1/oauth/requests/answer', 'handle answer', 'status result error'],
  sendEmailCode: ['POST /api/v1/passwordless/init', 'email token', 'success'],
  // spec L7.35, L3.7
  loginWithEmailCode: [
    'POST /api/v1/passwordless/authenticate',
    'email code vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  linkEmail: ['POST /api/v1/passwordless/link', 'email code', user],
  unlinkEmail: ['POST /api/v1/passwordless/unlink', 'address', user],
  // spec L7.39
  updateEmail: ['POST /api/v1/passwordless/update', 'oldAddress newAddress code', user],
  // spec L7.29
  sendSmsCode: ['POST /api/v1/passwordless_sms/init', 'phoneNumber token', 'success'],
  // spec L7.36
  loginWithSmsCode: [
    'POST /api/v1/passwordless_sms/authenticate',
    'phoneNumber code vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  linkPhone: ['POST /api/v1/passwordless_sms/link', 'phoneNumber code', user],
  // spec L7.30
  startOAuth: [
    'POST /api/v1/oauth/init',
    'provider redirect_to token code_challenge state_code relay proof_key',
    'url',
  ],
  oauthResult: ['POST /api/v1/oauth/result', 'handle secret', 'status authorization_code state_code error'],
  // spec L7.37, L3.8
  loginWithOAuth: [
    'POST /api/v1/oauth/authenticate',
    'authorization_code state_code code_verifier with_tokens provider proof vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  // spec W7.13
  linkOAuth: [
    'POST /api/v1/oauth/link',
    'authorization_code state_code code_verifier with_tokens provider proof',
    `${user} oauth_tokens`,
  ],
  // spec L7.14
  unlinkOAuth: ['POST /api/v1/oauth/unlink', 'provider subject issuer refresh_token', user],
  // spec W7.14
  oidcConnections: ['GET /api/v1/apps/{appId}/oidc/connections', '', 'connections'],
  crossAppConnections: ['GET /api/v1/apps/{appId}/cross-app/connections', '', 'connections'],
  openCrossAppWindow: ['POST /api/v1/cross-app/windows', 'relay provider transact_url', 'success'],
  refreshCrossAppTokens: [
    'POST /api/v1/cross-app/token',
    'provider refresh_token proof',
    'provider access_token access_token_expires_in_seconds refresh_token refresh_token_expires_in_seconds scopes',
  ],
  startTelegram: ['POST /api/v1/telegram/init', 'relay', 'telegram_origin'],
  telegramResult: ['POST /api/v1/telegram/result', 'handle secret', 'status telegram_auth_result'],
  // spec L7.32
  loginWithTelegram: [
    'POST /api/v1/telegram/authenticate',
    'captcha_token telegram_auth_result telegram_web_app_data vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  linkTelegram: ['POST /api/v1/telegram/link', 'telegram_auth_result telegram_web_app_data', user],
  // spec L7.16
  unlinkTelegram: ['POST /api/v1/telegram/unlink', 'telegram_user_id', user],
  loginWithCustomJwt: [
    'POST /api/v1/custom_jwt_account/authenticate',
    'token vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  confirmCustomJwt: ['POST /api/v1/custom_jwt_account/confirm', 'token', 'is_same_user'],
  unlinkPhone: ['POST /api/v1/passwordless_sms/unlink', 'phoneNumber', user],
  // spec L7.19
  beginSiwe: ['POST /api/v1/siwe/init', 'address token origin', 'nonce address expires_at'],
  // spec L7.20
  loginWithSiwe: [
    'POST /api/v1/siwe/authenticate',
    'message signature chainId walletClientType connectorType vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  // spec L7.21
  linkWallet: ['POST /api/v1/siwe/link', 'message signature chainId walletClientType connectorType', user],
  // spec L7.13
  unlinkWallet: ['POST /api/v1/siwe/unlink', 'address', user],
  // spec L7.31
  beginFarcaster: ['POST /api/v1/farcaster/init', 'token origin', 'channel_token connect_uri'],
  farcasterStatus: [
    'GET /api/v1/farcaster/status',
    'farcaster-channel-token',
    'state nonce message signature fid username display_name bio pfp_url',
  ],
  // spec L7.38
  loginWithFarcaster: [
    'POST /api/v1/farcaster/authenticate',
    'channel_token message signature fid vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  linkFarcaster: ['POST /api/v1/farcaster/link', 'channel_token message signature fid', user],
  // spec L7.15
  unlinkFarcaster: ['POST /api/v1/farcaster/unlink', 'fid', user],
  releaseForSigner: ['POST /api/v1/farcaster/signer/shares', 'mfa_token', 'wallet auth_share key_index'],
  // spec L3.28, W7.35
  initSigner: [
    'POST /api/v1/farcaster/signer/init',
    'ed25519_public_key deadline',
    'public_key status fid signer_approval_url',
  ],
  releaseToSignForFarcaster: [
    'POST /api/v1/farcaster/signer/messages',
    'hash fid mfa_token',
    'wallet auth_share key_index',
  ],
  // spec L7.22
  signerStatus: ['POST /api/v1/farcaster/signer/status', 'ed25519_public_key', 'public_key status fid'],
  // spec L7.33
  beginPasskeyLogin: [
    'POST /api/v1/passkeys/authenticate/init',
    'token relying_party',
    'relying_party options',
  ],
  loginWithPasskey: [
    'POST /api/v1/passkeys/authenticate',
    'relying_party challenge authenticator_response vault',
    'user token refresh_token host_token is_new_user session_update_action oauth_tokens wallet_token device_secret has_notices',
  ],
  // spec L7.40
  beginPasskeyLink: ['POST /api/v1/passkeys/link/init', '', 'relying_party options'],
  linkPasskey: ['POST /api/v1/passkeys/link', 'relying_party authenticator_response', user],
  beginPasskeyWindow: ['POST /api/v1/passkeys/window', 'ceremony relay', ''],
  passkeyWindowStatus: ['POST /api/v1/passkeys/window/status', 'handle secret', 'status'],
  takePasskeyAnswer: [
    'POST /api/v1/passkeys/window/answer/take',
    'handle secret',
    'type assertion attestation',
  ],
  closePasskeyWindow: ['POST /api/v1/passkeys/window/close', 'handle secret', ''],
  readPasskeyCeremony: ['POST /api/v1/passkeys/window/read', 'handle', 'status ceremony origin'],
  answerPasskeyCeremony: ['POST /api/v1/passkeys/window/answer', 'handle answer', ''],
  // spec L7.17
  unlinkPasskey: ['POST /api/v1/passkeys/unlink', 'credential_id', user],
  me: ['GET /api/v1/users/me', '', user],
  acceptTerms: ['POST /api/v1/users/me/accept_terms', '', user],
  deleteAccount: ['DELETE /api/v1/users/me', 'mfa_token', 'success'],
  walletToken: ['POST /api/v1/wallets/token', 'public_key operation purpose address confirmation', 'token'],
  walletStatus: ['GET /api/v1/wallets', '', 'wallet'],
  beginWallet: [
    'POST /api/v1/wallets/begin',
    'chain_type',
    `status ${line} sealing_key address solana_address recovery_method`,
  ],
  commitWallet: [
    'POST /api/v1/wallets/commit',
    'wallet_id generation address sealing_key_id auth_share recovery proof',
    'wallet user',
  ],
  releaseShares: [
    'POST /api/v1/wallets/shares',
    'mfa_token',
    'wallet auth_share recovery_share relayed_for approved_on_page',
  ],
  addSolanaAddress: [
    'POST /api/v1/wallets/solana-address',
    'solana_address proof solana_proof',
    'wallet user',
  ],
  // spec L7.9, L7.49
  sendMfaCode: ['POST /api/v1/mfa/passwordless_sms/init', 'action phoneNumber mfa_token', 'success sent_to'],
  enrollSms: ['POST /api/v1/mfa/passwordless_sms/enroll', 'code phoneNumber mfa_token', 'user'],
  verifySms: ['POST /api/v1/mfa/passwordless_sms/verify', 'code', 'token'],
  unenrollSms: ['POST /api/v1/mfa/passwordless_sms/unenroll', 'mfa_token', 'user'],
  beginTotp: ['POST /api/v1/mfa/totp/init', 'mfa_token', 'totpSecret totpAuthUrl'],
  enrollTotp: ['POST /api/v1/mfa/totp/enroll', 'code mfa_token', 'user'],
  verifyTotp: ['POST /api/v1/mfa/totp/verify', 'code', 'token'],
  unenrollTotp: ['POST /api/v1/mfa/totp/unenroll', 'mfa_token', 'user'],
  // spec L7.10
  beginPasskeyVerification: ['POST /api/v1/mfa/passkeys/init', '', 'relying_party options'],
  enrollPasskeys: ['POST /api/v1/mfa/passkey/enrollment', 'credential_ids mfa_token', 'user'],
  verifyPasskey: ['POST /api/v1/mfa/passkey/verify', 'authenticator_response relying_party', 'token'],
  releaseByPassword: [
    'POST /api/v1/wallets/recovery/shares',
    'access mfa_token',
    'wallet auth_share recovery_envelope',
  ],
  passwordParams: ['GET /api/v1/wallets/recovery/password', '', 'wallet params sealing_key'],
  beginReshare: [
    'POST /api/v1/wallets/reshare/begin',
    'mfa_token',
    'wallet auth_share generation sealing_key',
  ],
  keepReshare: [
    'POST /api/v1/wallets/reshare/keep',
    'generation sealing_key_id auth_share recovery proof',
    'auth_share recovery',
  ],
  commitReshare: ['POST /api/v1/wallets/reshare/commit', 'generation', 'wallet user'],
  beginRecoveryPasskey: ['POST /api/v1/recovery/passkeys/register/init', '', 'options salt'],
  registerRecoveryPasskey: [
    'POST /api/v1/recovery/passkeys/register',
    'authenticator_response',
    'credential_id',
  ],
  askRecoveryPasskey: ['POST /api/v1/recovery/passkeys/init', '', 'options salt'],
  releaseByPasskey: [
    'POST /api/v1/wallets/recovery/passkey',
    'authenticator_response mfa_token',
    'wallet auth_share recovery_share',
  ],
  // spec W7.8
  startCloudRecovery: ['POST /api/v1/recovery/oauth/init', 'redirect_to code_challenge state_code', 'url'],
  // spec W7.9
  authenticateCloudRecovery: [
    'POST /api/v1/recovery/oauth/authenticate',
    'authorization_code state_code code_verifier provider',
    'access_token',
  ],
  // spec W7.7
  startIcloudRecovery: ['POST /api/v1/recovery/oauth/init_icloud', 'client_type', 'url origin'],
  icloudConfiguration: [
    'POST /api/v1/recovery/configuration_icloud',
    'client_type',
    'api_token container_identifier environment',
  ],
  putConfirmation: [
    'POST /api/v1/confirmations',
    'handle address request origin requester place',
    'digest place reason usd names expires_in_seconds',
  ],
  confirmationStatus: ['POST /api/v1/confirmations/status', 'handle', 'state'],
  readConfirmation: [
    'POST /api/v1/confirmations/read',
    'handle',
    'state app_name request address account digest reason usd origin requester chain token tokens l1_fee description simulation lookups passkey expires_in_seconds',
  ],
  sendConfirmationCode: ['POST /api/v1/confirmations/code', 'handle', 'by sent_to'],
  decideConfirmation: [
    'POST /api/v1/confirmations/decision',
    'handle digest decision statement code passkey',
    'state',
  ],
  // spec W7.6
  tokenPrice: ['GET /api/v1/token_price', 'chainId tokenSymbol', 'usd'],
  // spec W7.1
  signFunding: [
    'POST /api/v1/plugins/moonpay_on_ramp/sign',
    'address useSandbox config',
    'signedUrl externalTransactionId',
  ],
  // spec W3.10
  fundingStatus: [
    'GET /api/v1/plugins/moonpay_on_ramp/transaction',
    'externalTransactionId',
    'status paymentMethod cardPaymentType currency baseCurrencyAmount quoteCurrencyAmount feeAmount extraFeeAmount networkFeeAmount',
  ],
  loginNotices: ['GET /api/v1/users/me/notices', '', 'notices'],
  answerNotice: ['POST /api/v1/users/me/notices/answer', 'id is_mine', 'outcome'],
  activity: ['GET /api/v1/users/me/activity', 'before', 'activity next'],
  // spec L7.23
  analyticsEvent: ['POST /api/v1/analytics_events', 'event_name client_id payload', 'success'],
}

type Walked = v.GenericSchema & {
  wrapped?: Walked
  item?: Walked
  options?: readonly Walked[]
  key?: string
  entries?: Readonly<Record<string, Walked>>
  literal?: unknown
}

function fieldsOf(schema: Walked | undefined): readonly string[] {
  if (schema?.wrapped) return fieldsOf(schema.wrapped)
  if (schema?.options) return [...new Set(schema.options.flatMap(fieldsOf))]
  return Object.entries(schema?.entries ?? {}).map(([field, inner]) => wireName(field, inner))
}

/** Returns a value for every field of the schema, once per variant. */
function samplesOf(schema: Walked): readonly unknown[] {
  if (schema.wrapped) return samplesOf(schema.wrapped)
  if (schema.item) return [samplesOf(schema.item)]
  if (schema.options?.some(({ entries }) => entries)) return schema.options.flatMap(samplesOf)
  if (!schema.entries) return [schema.literal ?? 'a value']
  const fields = Object.entries(schema.entries)
  const choices = fields.map(([field, inner]) => samplesOf(inner).map((sample) => ({ [field]: sample })))
  const most = Math.max(1, ...choices.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) =>
    Object.assign({}, ...choices.map((choice) => choice[at % choice.length])),
  )
}

const rows = Object.entries(apiRoutes) as readonly (readonly [CallName, Route])[]

it.each(rows)(
  '%s has the documented method, path and fields',
  (name, { method, path, body, query, headers, output }) => {
    const fields = [body, query, headers].flatMap(fieldsOf)
    expect([`${method} ${apiPrefix}${path}`, fields.join(' '), fieldsOf(output).join(' ')]).toEqual(
      calls[name],
    )
  },
)

// spec L6.8
it('no call accepts or returns a role', () => {
  const kinds = new Set(rows.map(([, { auth }]) => auth))
  expect([...kinds].sort()).toEqual(['dialog', 'dialog or wallet', 'identity', 'none', 'wallet'])
  const named = rows.flatMap(([name, { path, body, query, headers, output }]) => [
    name,
    path,
    ...[body, query, headers, output].flatMap(fieldsOf),
  ])
  expect(named.filter((each) => /admin|role/i.test(each))).toEqual([])
})

it.each(rows)('every field of %s comes back from the wire as it went', (_name, { body, query, output }) => {
  const schemas = [body, query, output].filter((schema) => schema !== undefined)
  for (const schema of schemas) {
    for (const sample of samplesOf(schema)) expect(fromWire(schema, toWire(schema, sample))).toEqual(sample)
  }
})
