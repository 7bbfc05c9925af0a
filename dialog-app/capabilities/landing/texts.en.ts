import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  title: 'Log in or sign up',
  noMethod: 'This app offers no way to log in here. Please tell the people who run it.',
} as const
export type LandingTexts = Widen<typeof english>
