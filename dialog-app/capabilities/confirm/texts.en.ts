import type { Widen } from '../../i18n/catalogue.ts'

/** Where a browser inside of an app can open no page. */
export const english = {
  title: 'Open this page in your browser',
  detail: 'This has to be confirmed on a page of its own, which this app cannot open.',
  leave: 'Close',
} as const
export type ConfirmTexts = Widen<typeof english>
