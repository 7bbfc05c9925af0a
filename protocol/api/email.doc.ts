import type { emailRoutes } from './email.ts'
import type { RoutesDoc } from './route.ts'

export const emailDoc: RoutesDoc<typeof emailRoutes> = {
  sendEmailCode: {
    says: 'Mails a code. The answer is the same for known and unknown addresses.',
    errors: ['too_many_requests', 'disallowed_login_method', 'email_not_sent', 'invalid_captcha'],
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
}
