import type { RoutesDoc } from '../../rows/route.ts'
import type { passkeyRoutes } from './api.ts'

export const passkeyDoc: RoutesDoc<typeof passkeyRoutes> = {
  beginPasskeyLogin: {
    says: 'Makes the challenge of one login, for this browser. Any passkey of the app may answer it: none is named.',
    errors: ['disallowed_login_method', 'invalid_data', 'invalid_captcha'],
  },
  loginWithPasskey: {
    says: 'Starts a session for the owner of the passkey that answered the challenge.',
    errors: ['invalid_credentials', 'disallowed_login_method', 'allowlist_rejected'],
  },
  beginPasskeyLink: {
    says: 'Makes the challenge of one new passkey, for this user and this browser.',
    errors: ['disallowed_login_method', 'cannot_link_more_of_type'],
  },
  linkPasskey: {
    says: 'Adds the passkey that answered the challenge to the user.',
    errors: [
      'invalid_credentials',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkPasskey: {
    says: 'Takes the passkey from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account', 'missing_or_invalid_mfa'],
  },
}
