import { approvalEnglish } from '../../i18n/approval.en.ts'
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
  words: approvalEnglish,
  problems: {
    failed: 'Your key could not be shown. Please try again.',
    ...verificationProblemsEnglish,
  },
} as const
export type ExportTexts = Widen<typeof english>
