import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  /** In the place of the title where a login begins. */
  logIn: (app: string) => `Log in to ${app} to connect your wallet`,
  going: { title: 'You are logged in', detail: 'Your wallet opens next.' },
  failed: {
    title: 'Your wallet did not open',
    detail: 'Nothing was connected. Log in again to go on.',
    late: 'More than a minute passed since you logged in. Log in again to go on.',
    again: 'Log in again',
  },
  alone: {
    title: 'Start in the other app',
    detail: (app: string) =>
      `This page opens when another app asks to use your ${app} wallet. Close it, and connect your wallet in that app.`,
  },
} as const
export type AuthorizeTexts = Widen<typeof english>
