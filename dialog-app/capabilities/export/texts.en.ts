import type { Widen } from '../../i18n/catalogue.ts'
import { verificationProblemsEnglish } from '../../i18n/verification.en.ts'

export const english = {
  title: 'Transfer Wallet',
  detail: 'Your key lets you use this wallet in another app. You will see it on the next step.',
  warning:
    'Never share your private key or seed phrase with anyone. Whoever has it can take everything that is in your wallet.',
  connecting: 'Connecting your wallet',
  wallet: 'Wallet',
  approve: 'Show my key',
  opening: 'Opening',
  page: 'Your key',
  done: 'Done',
  retry: 'Try again',
  words: {
    covered: 'Something covers this card, so it cannot be approved. Close what lies over it.',
    unreadable:
      'This card is too small to be read, so it cannot be approved. Make the window larger, or set its zoom to 100%.',
    arming: 'The button can be pressed when this card was fully visible for a moment.',
    armed: 'The button can be pressed now.',
    again: 'Press again to confirm',
  },
  problems: {
    failed: 'Your key could not be shown. Please try again.',
    ...verificationProblemsEnglish,
  },
} as const
export type ExportTexts = Widen<typeof english>
