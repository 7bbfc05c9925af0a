import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  account: 'Connected apps',
  title: 'Connected apps',
  detail: 'These apps may use your wallet. Each signature and each transaction is still confirmed by you.',
  none: 'No other app may use your wallet.',
  reading: 'Reading which apps you connected.',
  failed: {
    title: 'Your connected apps could not be read',
    detail: 'The server did not answer.',
    retry: 'Try again',
  },
  allowed: {
    profile: 'See your name and email address',
    read: 'See the address of this wallet',
    sign: 'Ask you to sign messages',
    send: 'Ask you to send transactions',
    sendUpTo: (amount: string) => `Ask you to send transactions, up to ${amount} a day`,
  },
  wallet: 'Wallet',
  since: 'Connected',
  lastUsed: 'Last used',
  neverUsed: 'Not used yet',
  disconnect: 'Disconnect',
  ask: {
    title: (app: string) => `Disconnect ${app}?`,
    detail:
      'It can no longer see your wallet or ask it for anything. What it already knows, it keeps. You can connect it again from that app.',
    underWay: 'Disconnecting',
    keep: 'Keep it connected',
    failed: 'The app is still connected: the server did not answer. Try again.',
  },
  ended: (app: string) => `${app} is disconnected.`,
} as const
export type ConnectedAppsTexts = Widen<typeof english>
