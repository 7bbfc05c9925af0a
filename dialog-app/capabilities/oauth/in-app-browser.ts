/** Browsers inside of apps, which say so in their user agent. */
import type { SocialProvider } from './providers.ts'

/** Facebook (also as Messenger), Instagram, Snapchat and LinkedIn. */
const inAppBrowser = /\bFBA[NV]\/|\bFB_IAB\/|\bInstagram\b|\bSnapchat\b|\bLinkedInApp\b/i

/** Google refuses every browser inside of an app; the others are tried. */
export const canLogInHere = (provider: SocialProvider, userAgent: string): boolean =>
  provider !== 'google' || !inAppBrowser.test(userAgent)
