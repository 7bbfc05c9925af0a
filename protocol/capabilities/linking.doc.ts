import type { MoreDoc } from '../rows/host-call.ts'
import type { linkingCalls } from './linking.ts'

export const linkingDoc: MoreDoc<typeof linkingCalls> = {
  link: {
    says: 'Opens the dialog to link another account of a kind to the user.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'cannot_link_more_of_type',
      'linked_to_another_user',
      'disallowed_login_method',
      'failed_to_link_account',
      'too_many_requests',
    ],
  },
  unlink: {
    says: 'Asks the user whether an account is to be unlinked, and unlinks it. The last one stays.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'cannot_unlink_sole_account',
      'cannot_unlink_embedded_wallet',
      'missing_or_invalid_mfa',
    ],
  },
  reauthorize: {
    says: 'Opens the dialog to have the user go to a provider again that they have an account at. What it hands out comes as the event `oauthTokens`.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'not_supported',
      'disallowed_login_method',
      'oauth_user_denied',
    ],
  },
  updateEmail: {
    says: 'Opens the dialog to put another e-mail address in the place of the one that the user has.',
    errors: [
      'must_be_authenticated',
      'exited_link_flow',
      'linked_account_not_found',
      'linked_to_another_user',
    ],
  },
}
