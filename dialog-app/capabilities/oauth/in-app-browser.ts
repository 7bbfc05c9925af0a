/** Browsers inside of apps, which say so in their user agent. */
import type { SocialProvider } from './providers.ts'

/** Facebook (also as Messenger), Instagram, Snapchat and LinkedIn. */
const inAppBrowser = /\bFBA[NV]\/|\bFB_IAB\/|\bInstagram\b|\bSnapchat\b|\bLinkedInApp\b/i

const phone = /\b(?:Android|iPhone|iPad|iPod)\b/i

/** Windows get lost on phones, and inside of apps there are none. */
export const takesWholePage = (userAgent: string): boolean =>
  phone.test(userAgent) || inAppBrowser.test(userAgent)

export const isPhone = (userAgent: string): boolean => phone.test(userAgent)

/** Google refuses every browser inside of an app; the others are tried. */
export const canLogInHere = (provider: SocialProvider, userAgent: string): boolean =>
  provider !== 'google' || !inAppBrowser.test(userAgent)
