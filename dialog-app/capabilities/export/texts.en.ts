import { verificationProblemsEnglish } from '../../approval/verification-texts.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  title: 'Transfer Wallet',
  detail:
    'Your key lets you use this wallet in another app. You see it in a window of your wallet, so that no page around it sees it.',
  warning:
    'Never share your private key or seed phrase with anyone. Whoever has it can take everything that is in your wallet.',
  connecting: 'Connecting your wallet',
  wallet: 'Wallet',
  open: 'Continue',
  waiting: {
    title: 'Continue in the window of your wallet',
    open: 'Look at its address before you show your key. This page goes on by itself.',
    none: 'It should be open now. If there is none, open it again.',
    closed: 'The window was closed.',
  },
  again: 'Open it again',
  preparing: 'Preparing',
  cancel: 'Cancel',
  shown: {
    title: 'Your key is in the other window',
    detail: 'Close that window, or press Done, when you have saved your key.',
  },
  done: 'Done',
  retry: 'Try again',
  unopened: {
    'in-app':
      'A browser inside of an app opens no windows. Open this page in your own browser, and try again there.',
    'cut-off':
      'This page keeps its windows apart, so this can not be done here. Use your account on another page of the app.',
  },
  problems: {
    failed: 'Your key could not be shown. Please try again.',
    ...verificationProblemsEnglish,
  },
} as const
export type ExportTexts = Widen<typeof english>
