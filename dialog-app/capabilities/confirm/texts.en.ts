import { approvalEnglish } from '../../i18n/approval.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  waiting: {
    title: 'Confirm on the page that opened',
    detail: 'This card goes on by itself as soon as you decide there.',
    blocked: 'If you see no such page, your browser may have blocked it. Open it here.',
    again: 'Open again',
    cancel: 'Cancel',
  },
  inApp: {
    title: 'Open this page in your browser',
    detail: 'This has to be confirmed on a page of its own, which this app cannot open.',
    leave: 'Close',
  },
  reading: {
    title: 'Reading the request',
    detail: 'Only what the server has under this address is shown here.',
  },
  approved: { title: 'Confirmed', detail: 'You can close this page.' },
  refused: { title: 'Refused', detail: 'Nothing was done. You can close this page.' },
  problems: {
    expired: {
      title: 'This request has expired',
      detail: 'Nothing was done. Go back to the app and ask again.',
    },
    decided: {
      title: 'This request was decided already',
      detail: 'It can be confirmed once, on one page. Go back to the app and ask again.',
    },
    unknown: {
      title: 'There is no such request',
      detail: 'Go back to the app and ask again.',
    },
    changed: {
      title: 'This request was blocked',
      detail: 'What was asked for is not what can be shown here. Nothing was done.',
    },
    unreadable: {
      title: 'This request was blocked',
      detail: 'It cannot be shown here, so it cannot be confirmed. Nothing was done.',
    },
  },
  approval: approvalEnglish,
  action: { account: 'Account', wallet: 'Wallet', deciding: 'Confirming' },
  /** What is done with an account, and what that means. */
  actions: {
    export: {
      title: 'Show your key?',
      detail: 'The private key of your wallet is shown in the app that asked.',
      warning:
        'Whoever sees it can take everything that is in your wallet. Be alone, and share it with nobody.',
      go: 'Show my key',
    },
    'delete-account': {
      title: 'Delete your account?',
      detail:
        'You are logged out everywhere, and what you log in with is no longer connected to this account.',
      warning: 'This can not be undone. A wallet of this account is lost for ever, with what is in it.',
      go: 'Delete my account',
    },
    'remove-totp': {
      title: 'Remove authenticator app verification?',
      detail: 'Codes of your authenticator app no longer verify you.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
    'remove-sms': {
      title: 'Remove SMS verification?',
      detail: 'Codes sent to your phone no longer verify you.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
    'remove-passkey': {
      title: 'Remove passkey verification?',
      detail: 'Your passkeys no longer verify you. They stay linked to your account.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
  },
  unreachable: {
    title: 'This page could not go on',
    detail: 'The server or the network did not answer.',
    retry: 'Try again',
  },
} as const
export type ConfirmTexts = Widen<typeof english>
