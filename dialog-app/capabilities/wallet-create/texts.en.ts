import { product } from '@latchkey/protocol'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  creating: {
    title: 'Creating your wallet',
    detail: 'Its key is made in your browser, and kept in parts. This takes a few seconds.',
    failedTitle: 'Failed to create wallet',
    retry: 'Try again',
  },
  created: {
    welcome: 'Welcome',
    allSet: 'All set!',
    detail: 'Your account and wallet are ready.',
    keptOtherwise:
      'Your wallet was made before, and is secured as you chose then. What you chose now was not set.',
  },
  problems: {
    noToken: 'An error has occured, please login again.',
    timedOut: 'walletProxy.create timed out.',
    noResponse: 'walletProxy.create did not send a response.',
    refreshFailed: 'Failed to refresh user.',
    walletMissing: 'Updated user is missing embedded wallet.',
    failed: 'Failed to create wallet',
    onlyOne: `Only one ${product.name} wallet per user is currently allowed`,
  },
} as const
export type WalletCreateTexts = Widen<typeof english>
