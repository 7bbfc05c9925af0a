/**
 * The login methods that an app has switches for, in the order in which the dialog offers them, with the name that the
 * calls of a page have for an account of each: `linkPhone()`. What else a method is stands in `login-methods.ts`, and
 * what an OAuth provider is in `social-providers.ts`. The loader ships this module alone.
 */
import type { CrossAppProvider } from './cross-app.ts'

const socialCallNames = {
  google: 'Google',
  apple: 'Apple',
  discord: 'Discord',
  github: 'Github',
  linkedin: 'LinkedIn',
  spotify: 'Spotify',
  instagram: 'Instagram',
  twitter: 'Twitter',
  tiktok: 'Tiktok',
} as const

export type SocialProvider = keyof typeof socialCallNames
export const socialProviders = /* @__PURE__ */ Object.keys(socialCallNames) as readonly SocialProvider[]

/** The keys are the names of the methods. */
export const callNames = {
  email: 'Email',
  sms: 'Phone',
  ...socialCallNames,
  wallet: 'Wallet',
  farcaster: 'Farcaster',
  passkey: 'Passkey',
  telegram: 'Telegram',
} as const

/** A login method that an app has a switch for. */
export type SwitchedLoginMethod = keyof typeof callNames
export const loginMethods = /* @__PURE__ */ Object.keys(callNames) as readonly SwitchedLoginMethod[]
/** Also a wallet of another app, by the provider's name: `latchkey:{appId}`. */
export type LoginMethod = SwitchedLoginMethod | CrossAppProvider

/** The accounts that a page can have linked and unlinked by calls of their own. */
export type Linkable = (typeof callNames)[SwitchedLoginMethod]
