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
} as const
export type ConfirmTexts = Widen<typeof english>
