import * as v from 'valibot'
import { crossAppProvider } from '../../entities/cross-app.ts'
import { oidcProvider } from '../../entities/oidc.ts'
import { text, thumbprint } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import { socialProviders } from '../../entities/social-providers.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { challenge, oneUse, relay, relayKey } from '../../windows/relay.ts'
import { forwardedProof } from '../cross-app/api.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'

/** A configured provider. Its accounts are those with the same issuer. */
const oidcConnectionSchema = v.object({ provider: oidcProvider, name: text, issuer: text })
export type OidcConnection = v.InferOutput<typeof oidcConnectionSchema>

const provider = v.union([v.picklist(socialProviders), crossAppProvider, oidcProvider])

const finish = {
  authorizationCode: v.pipe(text, v.nonEmpty()),
  stateCode: oneUse,
  codeVerifier: oneUse,
  /**
   * Whether to return the provider's own tokens. Otherwise they are discarded on receipt, unless the app hands them to
   * hosts.
   */
  withTokens: v.exactOptional(v.boolean()),
  /**
   * Set for a wallet of another app, with the dialog's DPoP proof for the provider's token endpoint. The tokens are
   * bound to the proof's key.
   */
  provider: v.exactOptional(crossAppProvider),
  proof: v.exactOptional(forwardedProof),
}

/** Failures that a provider can return instead of a code. */
export const oauthFailures = ['oauth_user_denied', 'oauth_account_suspended', 'oauth_unexpected'] as const

export const oauthResultSchema = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  v.object({ status: v.literal('completed'), authorizationCode: text, stateCode: text }),
  v.object({ status: v.literal('failed'), error: v.picklist(oauthFailures) }),
])
export type OAuthResult = v.InferOutput<typeof oauthResultSchema>

export const oauthRoutes = {
  oidcConnections: {
    method: 'GET',
    path: '/apps/{appId}/oidc/connections',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    output: v.object({ connections: v.array(oidcConnectionSchema) }),
  },
  startOAuth: {
    method: 'POST',
    path: '/oauth/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      provider,
      redirectTo: text,
      token: v.exactOptional(text),
      codeChallenge: challenge,
      stateCode: oneUse,
      relay: v.exactOptional(relay),
      /** The thumbprint of the key that the provider binds its tokens to. For a wallet of another app only. */
      proofKey: v.exactOptional(thumbprint),
    }),
    output: v.object({ url: text }),
  },
  oauthResult: {
    method: 'POST',
    path: '/oauth/result',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: true,
    body: relayKey,
    output: oauthResultSchema,
  },
  loginWithOAuth: {
    method: 'POST',
    path: '/oauth/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...finish, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkOAuth: {
    method: 'POST',
    path: '/oauth/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(finish),
    output: v.object({ ...userRecordSchema.entries, oauthTokens: v.exactOptional(oauthTokensSchema) }),
  },
  unlinkOAuth: {
    method: 'POST',
    path: '/oauth/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      provider,
      subject: v.pipe(text, v.nonEmpty()),
      /** The issuer of the account. For an OpenID provider only. */
      issuer: v.exactOptional(text),
      /** The refresh token to revoke at the provider. For a wallet of another app only. */
      refreshToken: v.exactOptional(text),
    }),
    output: userRecordSchema,
  },
} as const satisfies Routes

const providerErrors = [
  'disallowed_login_method',
  'cross_app_connection_not_allowed',
  'invalid_credentials',
  'pkce_state_code_mismatch',
  'invalid_pkce_parameters',
  'oauth_user_denied',
  'oauth_account_suspended',
  'oauth_unexpected',
  'too_many_requests',
  'outcome_unknown',
] as const

export const oauthDoc: RoutesDoc<typeof oauthRoutes> = {
  oidcConnections: {
    summary: "Lists the OpenID providers that the app's operator configured, as login methods `oidc:{id}`.",
    errors: ['not_found'],
  },
  startOAuth: {
    summary:
      'Starts a login at an OAuth provider. Returns the URL of a start page, for a pop-up or the top window, which redirects to the provider. With `relay`, poll `/oauth/result` for the result. Without it, the result is in the query of `redirect_to`, which must be on an allowed origin of the app.',
    errors: [
      'disallowed_login_method',
      'cross_app_connection_not_allowed',
      'not_supported',
      'invalid_origin',
      'invalid_data',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  oauthResult: {
    summary: 'Waits a few seconds for the result of a login in a pop-up. Requires the secret of the relay.',
    errors: ['not_found'],
  },
  loginWithOAuth: {
    summary:
      "Starts a session for the account that the provider authenticated. Returns the provider's tokens if they were requested.",
    errors: [
      ...providerErrors,
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkOAuth: {
    summary: 'Links the account that the provider authenticated to the user.',
    errors: [...providerErrors, 'cannot_link_more_of_type', 'linked_to_another_user'],
  },
  unlinkOAuth: {
    summary: 'Unlinks the account from the user, unless it is their last account.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account', 'invalid_data'],
  },
}
