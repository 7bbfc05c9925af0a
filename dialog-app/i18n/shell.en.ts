import type { Widen } from './catalogue.ts'

/** What stands around every screen, and in the parts that screens share. */
export const shellEnglish = {
  back: 'Back',
  close: 'Close',
  protectedBy: (product: string) => `Protected by ${product}`,
  /** Rendered with its two links in place of `terms` and `privacy`. */
  legal: {
    before: 'By logging in I agree to the ',
    terms: 'Terms',
    between: ' & ',
    privacy: 'Privacy Policy',
  },
  opensInNewTab: '(opens in a new tab)',
  offline: { waits: 'You are offline. This is sent when you are back.', cancel: 'Cancel' },
  address: { copy: 'Copy', copied: 'Copied' },
} as const
export type ShellTexts = Widen<typeof shellEnglish>
