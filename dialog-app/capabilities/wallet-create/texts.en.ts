import { messages } from '@latchkey/protocol'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  creating: {
    title: 'Creating your wallet',
    detail: 'Its key is made in your browser, and kept in parts. This takes a few seconds.',
    failedTitle: 'Failed to create wallet',
    retry: 'Try again',
  },
  created: { welcome: 'Welcome', allSet: 'All set!', detail: 'Your account and wallet are ready.' },
  problems: messages.walletCreate,
} as const
export type WalletCreateTexts = Widen<typeof english>
