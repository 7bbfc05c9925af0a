import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  consent: {
    title: 'One last step',
    detail: 'By signing up, you agree to our terms and privacy policy.',
    terms: 'View Terms',
    privacy: 'View Privacy Policy',
    decline: 'No thanks',
    accept: 'Accept',
    accepting: 'Accepting',
  },
  leave: {
    title: 'Leave without accepting?',
    detail: 'You would be logged out.',
    stay: 'Stay',
    leave: 'Leave',
  },
} as const
export type TermsTexts = Widen<typeof english>
