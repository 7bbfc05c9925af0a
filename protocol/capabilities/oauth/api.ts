import * as v from 'valibot'
import { crossAppProvider } from '../../entities/cross-app.ts'
import { text, thumbprint } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import { socialProviders } from '../../entities/social-providers.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { challenge, oneUse, relay, relayKey } from '../../windows/relay.ts'
import { forwardedProof } from '../cross-app/api.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'

const provider = v.union([v.picklist(socialProviders), crossAppProvider])

const finish = {
  authorizationCode: v.pipe(text, v.nonEmpty()),
  stateCode: oneUse,
  codeVerifier: oneUse,
  /** Whether the provider's own tokens are wanted: else, and where the app hands out none, they are thrown away where they come in. */
  withTokens: v.exactOptional(v.boolean()),
  /**
   * A wallet of another app has its provider here, with the dialog's proof for the token endpoint, to whose key the
   * tokens are bound.
   */
  provider: v.exactOptional(crossAppProvider),
  proof: v.exactOptional(forwardedProof),
}

/** What a provider may say instead of a code. */
export const oauthFailures = ['oauth_user_denied', 'oauth_account_suspended', 'oauth_unexpected'] as const

export const oauthResultSchema = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  v.object({ status: v.literal('completed'), authorizationCode: text, stateCode: text }),
  v.object({ status: v.literal('failed'), error: v.picklist(oauthFailures) }),
])
export type OAuthResult = v.InferOutput<typeof oauthResultSchema>

export const oauthRoutes = {
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
      /** The key that the tokens of the provider are to be bound to, for a wallet of another app. */
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
      /** The tokens that the provider is told to end, for a wallet of another app. */
      refreshToken: v.exactOptional(text),
    }),
    output: userRecordSchema,
  },
} as const satisfies Routes

const ofProvider = [
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
  startOAuth: {
    summary:
      'Prepares a login at a provider. The address is a page of ours, for a pop-up or for the top window, that goes on to the provider. With `relay` the result waits at `/oauth/result`; without it, it comes in the query of `redirect_to`, which is on an origin of the app.',
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
    summary: 'Waits some seconds for what came of a login in a pop-up, which its secret alone opens.',
    errors: ['not_found'],
  },
  loginWithOAuth: {
    summary:
      'Starts a session for the account that the provider names. The tokens of the provider are in the answer where they were asked for.',
    errors: [...ofProvider, 'allowlist_rejected', 'max_accounts_reached', 'user_does_not_exist'],
  },
  linkOAuth: {
    summary: 'Adds the account that the provider names to the user.',
    errors: [...ofProvider, 'cannot_link_more_of_type', 'linked_to_another_user'],
  },
  unlinkOAuth: {
    summary: 'Takes the account away from the user, unless it is their last.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
