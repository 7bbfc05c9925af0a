import { approvalEnglish } from '../../approval/texts.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  loading: { title: 'Preparing your transaction', detail: 'Fees and balance are asked of the network.' },
  review: {
    send: (symbol: string) => `Send ${symbol}`,
    title: 'Review transaction',
    from: 'From',
    to: 'To',
    nobody: 'A new contract',
    action: 'Action',
    appSays: 'What the app says',
    network: 'Network',
    value: 'Value',
    unknownNetwork: (id: string) => `Number ${id}, which is in no list`,
    coin: 'coins',
    smallest: (amount: string) => `${amount} of the smallest units`,
    fees: 'Estimated fees',
    feesAtMost: 'Fees at most',
    total: 'Total',
    worth: 'Worth at most',
    data: 'Data of the transaction',
    button: 'Submit',
    submitting: 'Submitting',
    sign: 'Sign transaction',
    signButton: 'Sign',
    moreFees: 'The fees may be higher: the network did not say what it charges for the data.',
    handedOver: 'This is signed and given to the app, which can send it at any time.',
  },
  info: {
    title: 'What happens with a transaction?',
    detail:
      'The network carries it out as it stands here and keeps it for everybody to see. Once it is confirmed, nobody can take it back. The fees go to the network, also where a contract refuses the rest.',
  },
  approval: approvalEnglish,
  actions: {
    native: (amount: string) => `Send ${amount}`,
    send: 'Send {what}',
    sendEverything: 'Send everything that there is in {what}',
    allow: 'Allow {what} to be taken',
    allowMore: 'Allow {what} more to be taken',
    allowEverything: 'Allow everything that you have in {what} to be taken',
    takeBack: 'Take back: no more {what} may be taken',
    allowAll: 'Allow all of your {what} to be taken',
    forbidAll: 'No longer allow your {what} to be taken',
    /** Of a contract that does not say what its tokens are called. */
    unnamed: 'tokens',
    create: 'Create a contract',
    unknown: 'Call a contract',
  },
  others: { owner: 'Taken from', recipient: 'Recipient', spender: 'Taken by' },
  warnings: {
    unlimited: 'This allows tokens to be taken without any limit, at any time and without asking you again.',
    everything:
      'This allows everything of this collection to be taken, at any time and without asking you again.',
    unknown: 'It cannot be said what this transaction does. Submit it only if you trust this app.',
    creation: 'This transaction creates a contract. Submit it only if you trust this app.',
  },
  funds: {
    insufficient: 'Wallet has insufficient funds on this network for this transaction.',
    add: (network: string) => `Add funds on ${network} to complete the transaction.`,
    button: 'Add Funds',
    missing: 'Missing',
  },
  waiting: {
    title: 'Waiting for confirmation',
    detail: 'Your transaction was sent. The network carries it out now.',
  },
  success: { title: 'Transaction complete!', button: 'All Done' },
  failed: { title: 'Transaction failed', retry: 'Retry transaction', code: 'Code', hash: 'Transaction hash' },
  explorer: 'View on explorer',
  problems: {
    UNPREPARED: 'There was an error preparing your transaction. Your transaction request will likely fail.',
    UNSIGNED: 'The wallet could not sign the transaction. Nothing was sent.',
    UNCONFIRMED: 'The transaction was not confirmed in time. Nothing was sent.',
    INSUFFICIENT_FUNDS: 'Wallet has insufficient funds on this network for this transaction.',
    CALL_EXCEPTION: 'The network carried the transaction out, but its contract refused it.',
    NONCE_EXPIRED: 'Another transaction took its place in the order of your wallet.',
    REPLACEMENT_UNDERPRICED:
      'A transaction with the same number waits already, and this one pays too little to replace it.',
    TRANSACTION_REPLACED: 'Another transaction with the same number was carried out in its place.',
    TRANSACTION_DROPPED: 'The network has forgotten the transaction. Nothing was moved.',
    TIMEOUT: 'The network has not confirmed the transaction yet. It may still do so.',
    NETWORK_ERROR: 'The network could not be reached, so it is not known whether it took the transaction.',
    UNKNOWN_ERROR: 'The network refused the transaction.',
  },
} as const
export type SendTexts = Widen<typeof english>
