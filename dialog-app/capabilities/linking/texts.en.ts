import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  /** What an account of each method is called in a title. */
  names: {
    email: 'e-mail address',
    sms: 'phone number',
    wallet: 'wallet',
    passkey: 'passkey',
    apple: 'Apple account',
    discord: 'Discord account',
    github: 'GitHub account',
    google: 'Google account',
    linkedin: 'LinkedIn account',
    spotify: 'Spotify account',
    instagram: 'Instagram account',
    twitter: 'X account',
    tiktok: 'TikTok account',
    farcaster: 'Farcaster account',
    telegram: 'Telegram account',
  },
  /** Of another app, by its name. */
  ofApp: (app: string) => `${app} account`,
  link: {
    title: (account: string) => `Link your ${account}`,
    detail: 'You can then log in with it too.',
  },
  /** What the host may then do there, the provider asks its user. */
  again: {
    title: (account: string) => `Connect your ${account} again`,
    detail: 'This page asks for access to it. You can look at what for, and refuse, on the next page.',
  },
  update: {
    title: 'Change your e-mail address',
    present: 'It is now',
  },
  unlink: {
    title: (account: string) => `Unlink your ${account}?`,
    detail: 'You can then no longer log in with',
    unnamed: 'an unknown device',
    unlink: 'Unlink',
    unlinking: 'Unlinking',
    keep: 'Keep it',
    problems: {
      soleAccount: 'This is the only way into your account. Link another one before you unlink it.',
      enrolledInMfa: 'Cannot unlink a passkey enrolled in MFA',
      other: 'It could not be unlinked. Please try again.',
    },
  },
} as const
export type LinkingTexts = Widen<typeof english>
