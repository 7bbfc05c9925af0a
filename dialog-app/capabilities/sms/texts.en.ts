import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: {
    label: 'Phone number',
    country: 'Country',
    placeholder: 'Phone number',
    submit: 'Submit',
    sending: 'Sending code',
    problem: 'This is not a phone number of that country.',
    open: 'Continue with SMS',
  },
} as const
export type SmsTexts = Widen<typeof english>
