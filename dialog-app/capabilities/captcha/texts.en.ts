import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  waiting: { title: 'Checking that you are human', detail: 'This takes a few seconds.' },
  success: { title: 'Success', detail: 'You are human. It goes on.' },
  error: {
    title: 'Something went wrong',
    failed: 'You did not pass CAPTCHA. Please try again.',
    usedUp: 'If you use an adblocker or VPN, try disabling and re-attempting.',
    again: 'Try again',
    back: 'Go back',
  },
} as const
export type CaptchaTexts = Widen<typeof english>
