import type { RoutesDoc } from '../../rows/route.ts'
import type { oauthRoutes } from './api.ts'

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
    says: 'Prepares a login at a provider. The address is a page of ours, for a pop-up or for the top window, that goes on to the provider. With `relay` the result waits at `/oauth/result`; without it, it comes in the query of `redirect_to`, which is on an origin of the app.',
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
    says: 'Waits some seconds for what came of a login in a pop-up, which its secret alone opens.',
    errors: ['not_found'],
  },
  loginWithOAuth: {
    says: 'Starts a session for the account that the provider names. The tokens of the provider are in the answer where they were asked for.',
    errors: [...ofProvider, 'allowlist_rejected', 'max_accounts_reached', 'user_does_not_exist'],
  },
  linkOAuth: {
    says: 'Adds the account that the provider names to the user.',
    errors: [...ofProvider, 'cannot_link_more_of_type', 'linked_to_another_user'],
  },
  unlinkOAuth: {
    says: 'Takes the account away from the user, unless it is their last.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
