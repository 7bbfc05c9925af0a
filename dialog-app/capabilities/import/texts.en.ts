import { product } from '@latchkey/protocol'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  title: 'Import wallet',
  detail: 'Use a wallet that you have already. Its private key is split in your browser, and kept in parts.',
  warning: 'Only give your private key here. Whoever else has it can take everything that is in your wallet.',
  page: 'Private key',
  opening: 'Opening a place for your key',
  cancel: 'Cancel',
  done: { title: 'Wallet imported', detail: 'You can use it here now.' },
  failed: { detail: 'Your wallet could not be imported. Please try again.', retry: 'Try again' },
  taken: {
    detail: 'This account has already been linked to another user.',
    retry: 'Use another key',
  },
  onlyOne: `Only one ${product.name} wallet per user is currently allowed`,
} as const
export type ImportTexts = Widen<typeof english>
