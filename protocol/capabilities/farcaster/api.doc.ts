import type { RoutesDoc } from '../../rows/route.ts'
import type { farcasterRoutes } from './api.ts'

export const farcasterDoc: RoutesDoc<typeof farcasterRoutes> = {
  beginFarcaster: {
    says: 'Opens a channel at the relay, for the page of this origin and this browser. `connect_uri` is what a phone opens.',
    errors: [
      'disallowed_login_method',
      'origin_not_allowed',
      'too_many_requests',
      'unavailable',
      'invalid_captcha',
    ],
  },
  farcasterStatus: {
    says: 'Whether the person has approved, in the browser that opened the channel. What they signed is given for as long as it may be used.',
    errors: ['disallowed_login_method', 'invalid_credentials', 'unavailable'],
  },
  loginWithFarcaster: {
    says: 'Starts a session for the Farcaster account whose custody address signed the message.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unavailable',
      'disallowed_login_method',
      'allowlist_rejected',
      'max_accounts_reached',
    ],
  },
  linkFarcaster: {
    says: 'Adds the Farcaster account whose custody address signed the message to the user.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unavailable',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkFarcaster: {
    says: 'Takes the Farcaster account from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
