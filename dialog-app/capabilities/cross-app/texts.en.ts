import type { Widen } from '../../i18n/catalogue.ts'

const opened = {
  open: (app: string) => `Go on in the window of ${app} that opened.`,
  closed: (app: string) => `If you closed the window of ${app}, open it again.`,
  none: (app: string) =>
    `${app} opens in a window of its own. If you see none, your browser may have blocked it.`,
} as const

/** Each is told the name of the provider. */
export const english = {
  continueWith: (app: string) => `Continue with ${app}`,
  openAgain: 'Open again',
  close: 'Close',
  retry: 'Try again',
  waiting: { title: (app: string) => `Waiting for ${app}`, ...opened },
  toOpen: { title: 'One more step', detail: (app: string) => `Go on at ${app}.` },
  confirmed: {
    title: (app: string) => `Connecting your ${app} account`,
    detail: 'This takes a moment.',
  },
  success: { title: 'Success', detail: (app: string) => `Your ${app} account is connected.` },
  failed: { title: 'Something went wrong' },
  failures: {
    issue: (app: string) => `There was an issue connecting your ${app} account. Please try again.`,
    denied: () => 'User denied confirmation during cross-app auth flow',
    timeout: () => 'Authorization request timed out after 2 minutes.',
    code: () => 'Invalid code during cross-app auth flow.',
    notConnected: () => 'Invalid connected app',
    linked: () => 'This account has already been linked to another user.',
  },
  request: {
    titles: {
      message: (app: string) => `Sign with your ${app} wallet`,
      'typed-data': (app: string) => `Sign with your ${app} wallet`,
      transaction: (app: string) => `Send with your ${app} wallet`,
    },
    detail: (app: string) => `${app} shows you what you are asked for, and you confirm it there.`,
    wallet: 'Wallet',
    done: {
      message: { title: 'Success', detail: (app: string) => `Your ${app} wallet has signed.` },
      'typed-data': { title: 'Success', detail: (app: string) => `Your ${app} wallet has signed.` },
      transaction: { title: 'Success', detail: (app: string) => `${app} has sent your transaction.` },
    },
    lost: {
      title: (app: string) => `Connect your ${app} account again`,
      detail: (app: string) => `Transactions require a valid token. Log in to ${app} once more to get one.`,
      connect: (app: string) => `Connect ${app}`,
    },
  },
  problems: {
    canceled: 'User canceled flow',
    rejected: 'User rejected request',
    timeout: 'Request timeout',
    otherAddress: 'Cannot request a signature with this wallet address',
    noToken: 'Transactions require a valid token',
    notStarted: 'Failed to initialize signature request',
    notConnected: 'Invalid connected app',
    failed: 'The request could not be carried out. Please try again.',
  },
  account: {
    entry: 'Wallets of other apps',
    title: 'Wallets of other apps',
    detail: 'Their apps ask you before anything is signed with them.',
    none: 'You have connected none.',
    readOnly: 'Only seen here',
    gone: 'No longer available here',
    unlink: 'Unlink',
    unlinkOf: (app: string) => `Unlink the wallet of ${app}`,
    question: (app: string) => `Unlink your ${app} account?`,
    questionDetail: (app: string) => `This app can then no longer use the wallet that you have in ${app}.`,
    unlinking: 'Unlinking',
    keep: 'Keep it',
    failed: 'It could not be unlinked. Please try again.',
    sole: 'This is the only way into your account. Link another one before you unlink it.',
  },
} as const
export type CrossAppTexts = Widen<typeof english>
