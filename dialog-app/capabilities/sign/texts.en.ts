import type { Widen } from '../../i18n/catalogue.ts'
import { verificationProblemsEnglish } from '../../i18n/verification.en.ts'

export const english = {
  connecting: {
    title: 'Connecting your wallet',
    recovering: 'This is a new device for your wallet. It is being recovered.',
  },
  /** What the host may say in its own words. */
  request: {
    title: 'Sign message',
    description: 'Signing this message will not cost you any fees.',
    button: 'Sign and continue',
  },
  review: {
    signing: 'Signing',
    message: 'Message',
    wallet: 'Wallet',
    invisible: 'Characters that cannot be seen are shown as their code.',
    arming: 'The button can be pressed when this card was fully visible for a moment.',
    armed: 'The button can be pressed now.',
    again: 'Press again to confirm',
    covered: 'Something covers this card, so it cannot be approved. Close what lies over it.',
    unreadable:
      'This card is too small to be read, so it cannot be approved. Make the window larger, or set its zoom to 100%.',
  },
  success: 'Success',
  failed: { title: 'Unable to sign', retry: 'Try again' },
  problems: {
    unable: 'Unable to recover wallet',
    failed: 'An error has occurred, please try again.',
    ...verificationProblemsEnglish,
  },
} as const
export type SignTexts = Widen<typeof english>
