import type { RoutesDoc } from '../rows/route.ts'
import type { emailRoutes } from './email.ts'

export const emailDoc: RoutesDoc<typeof emailRoutes> = {
  sendEmailCode: {
    says: 'Mails a code. The answer is the same for known and unknown addresses.',
    errors: [
      'too_many_requests',
      'disallowed_login_method',
      'email_not_sent',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  loginWithEmailCode: {
    says: 'Starts a session for the address that the code was mailed to.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'disallowed_login_method',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkEmail: {
    says: 'Adds the address to the user.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkEmail: {
    says: 'Takes the address from the user. The last account stays.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
  updateEmail: {
    says: 'Puts the new address, which the code was mailed to, in the place of the old one.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'linked_account_not_found',
      'linked_to_another_user',
    ],
  },
}
