/** Browsers inside of apps. */
import { isInsideApp, isPhone } from '../../browser/device.ts'
import type { SocialProvider } from './providers.ts'

/** Windows get lost on phones, and inside of apps there are none. */
export const takesWholePage = (userAgent: string): boolean => isPhone(userAgent) || isInsideApp(userAgent)

/** Google refuses every browser inside of an app; the others are tried. */
export const canLogInHere = (provider: SocialProvider, userAgent: string): boolean =>
  provider !== 'google' || !isInsideApp(userAgent)
