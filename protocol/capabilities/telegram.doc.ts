import type { RoutesDoc } from '../rows/route.ts'
import type { telegramRoutes } from './telegram.ts'

export const telegramDoc: RoutesDoc<typeof telegramRoutes> = {
  startTelegram: {
    says: "Prepares a login in a window at `/telegram/start/{handle}`, which goes on to Telegram. What came of it waits at `/telegram/result`; a page of `telegram_origin` may tell the window's opener as well.",
    errors: ['disallowed_login_method', 'invalid_data'],
  },
  telegramResult: {
    says: 'Waits some seconds for what came of a login in a window, which its secret alone opens.',
    errors: ['not_found'],
  },
  loginWithTelegram: {
    says: 'Starts a session for the person that Telegram names, by exactly one of both. What Telegram signed is good for five minutes, and once; `telegram_web_app_data` is taken where the app has it turned on.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'invalid_captcha',
      'captcha_disabled',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkTelegram: {
    says: 'Adds the person that Telegram names to the user, where the app has linking turned on.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkTelegram: {
    says: 'Takes the account from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
