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
  reading: { title: 'Reading the request', detail: 'Only what the wallet will sign is shown here.' },
  approved: { title: 'Confirmed', detail: 'You can close this page.' },
  refused: { title: 'Refused', detail: 'Nothing was signed. You can close this page.' },
  problems: {
    expired: {
      title: 'This request has expired',
      detail: 'Nothing was signed. Go back to the app and ask again.',
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
      detail: 'What would be signed is not what can be shown here. Nothing was signed.',
    },
    unreadable: {
      title: 'This request was blocked',
      detail: 'It cannot be shown here, so it cannot be confirmed. Nothing was signed.',
    },
  },
  unreachable: {
    title: 'This page could not go on',
    detail: 'The server or the network did not answer.',
    retry: 'Try again',
  },
} as const
export type ConfirmTexts = Widen<typeof english>
