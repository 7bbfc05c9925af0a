/** A phone can not scan its own screen, and has the app of Farcaster. */
import { isPhone } from '../../core/device.ts'

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** A tablet of Apple calls itself a Mac, and no Mac has a touch screen. */
export const hasApp = ({ userAgent, maxTouchPoints }: Browser): boolean =>
  isPhone(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
