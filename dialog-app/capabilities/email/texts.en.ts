import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: {
    label: 'E-mail',
    placeholder: 'you@example.com',
    submit: 'Submit',
    sending: 'Sending code',
    open: 'Continue with e-mail',
  },
  /** What an address lacks that was sent off as it is. */
  missing: {
    everything: 'Enter your e-mail address.',
    at: 'The “@” is missing.',
    name: 'The part before the “@” is missing.',
    domain: 'The part after the “@” is not complete.',
    form: 'This is not an e-mail address.',
  },
} as const
export type EmailTexts = Widen<typeof english>
