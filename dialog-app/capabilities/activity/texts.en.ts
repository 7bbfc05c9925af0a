import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  account: 'Wallet activity',
  title: 'Wallet activity',
  detail: 'What your wallet signed, and what else was done with it. The newest comes first.',
  none: 'Your wallet has signed nothing yet.',
  reading: 'Reading what the server wrote down.',
  failed: {
    title: 'The activity could not be read',
    detail: 'The server did not answer.',
    retry: 'Try again',
  },
  more: 'Show more',
  moreFailed: 'The server did not answer. Try again.',
  kinds: {
    message: 'Message signed',
    typed_data: 'Typed data signed',
    transaction: 'Transaction signed',
    created: 'Wallet created',
    imported: 'Wallet imported',
    recovered: 'Wallet recovered on a device',
    recovery_set: 'Recovery changed',
    exported: 'Key exported',
    farcaster_message: 'Farcaster message signed',
    app_connected: 'Wallet connected to an app',
    app_ended: 'App disconnected',
    app_request: 'Asked for by a connected app',
  },
  silent: 'without asking you',
  to: 'To',
} as const
export type ActivityTexts = Widen<typeof english>
