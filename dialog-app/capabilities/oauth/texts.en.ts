import type { Widen } from '../../i18n/catalogue.ts'

/** Each is told the provider. */
export const english = {
  inApp: {
    title: 'Could not log in with provider',
    detail: (provider: string) =>
      `${provider} lets nobody log in inside another app. Open this page in your browser, or try another way to log in.`,
    back: 'Go back',
  },
} as const
export type OAuthTexts = Widen<typeof english>
