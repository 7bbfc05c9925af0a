import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  /** Every text of our own in the table of ERROR_SCREEN; what the server says, it says in English. */
  error: {
    wrong: 'Something went wrong',
    notAllowed: 'Not allowed',
    authentication: 'Authentication failed',
    region: 'This region is not supported',
    failed: 'Request failed',
    timedOut: 'Timed out',
    tryAgain: 'Please try again.',
    captcha: 'You did not pass CAPTCHA. Please try again.',
    tryLater: 'Something went wrong! Please try again later.',
    linked: 'This account has already been linked to another user.',
    smsRegion: 'SMS authentication from this region is not available',
    attempts: 'Too many attempts.',
    later: 'Try again later',
    again: 'Try again',
    otherMethod: 'Try another method',
    blocked: 'Your browser blocks this login',
    storage:
      'Its privacy settings block cookies and storage of other sites (“third-party” or “cross-site cookies”). Allow them for this page, then log in again.',
    close: 'Close',
  },
  serverSaid: (_code: string, sentence: string) => sentence,
  allowlist: {
    title: "You don't have access to this app",
    detail: 'Have you been invited?',
    button: 'Try another account',
  },
  accountNotFound: {
    title: 'Account not found',
    detail: 'This app has no account for what you logged in with. You may have signed up another way.',
    button: 'Try another account',
  },
  userLimit: {
    title: 'Unable to sign in',
    detail: 'This app has as many users as it may have at present. Please ask the people who run it.',
    button: 'Try another account',
  },
} as const
export type RefusalTexts = Widen<typeof english>
