import type { Widen } from '../i18n/catalogue.ts'

/** Each is told the provider. */
export const english = {
  continueWith: (provider: string) => `Continue with ${provider}`,
  toOpen: {
    title: 'One more step',
    detail: (provider: string) => `Go on at ${provider}.`,
  },
  waiting: {
    title: (provider: string) => `Waiting for ${provider}`,
    open: (provider: string) => `Log in to ${provider} in the window that opened.`,
    closed: (provider: string) => `If you closed the window of ${provider}, try again.`,
    leaving: (provider: string) => `${provider} opens in this tab.`,
    again: 'Try again',
    none: (provider: string) =>
      `${provider} opens in a window of its own. If you see none, your browser may have blocked it.`,
  },
  digits: 'Type these two digits in the window that opened',
  verifying: {
    title: (provider: string) => `Verifying your ${provider} account`,
    detail: 'This takes a moment.',
  },
  success: {
    title: (provider: string) => `Connected to ${provider}`,
    detail: (provider: string) => `${provider} has confirmed who you are.`,
  },
  failed: { title: 'Authentication failed', retry: 'Retry', back: 'Go back' },
  failures: {
    linked: () => 'This account has already been linked to another user.',
    credentials: () => 'Something went wrong. Try again.',
    denied: (provider: string) => `Retry and check ${provider} to finish connecting your account.`,
    limit: (provider: string) => `Request limit reached for ${provider}. Please wait a moment and try again.`,
    ownLimit: () => 'Too many requests. Please wait before trying again.',
    suspended: (provider: string) =>
      `Your ${provider} account is suspended. Please try another login method.`,
    onlyOne: () => 'You cannot authorize more than one account for this user.',
    unexpected: () => 'Something went wrong. Please try again.',
    phishing: () => 'Unexpected auth flow. This may be a phishing attempt.',
    notAllowed: (provider: string) => `This app does not take ${provider} accounts.`,
  },
} as const
export type WindowLoginTexts = Widen<typeof english>
