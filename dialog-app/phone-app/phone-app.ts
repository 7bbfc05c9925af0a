/** Returns whether the approving app is on this device, because a phone cannot scan its own screen. */
import { isPhone } from '../browser/device.ts'

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** iPads identify as Macs, but no Mac has a touch screen. */
export const hasApp = ({ userAgent, maxTouchPoints }: Browser): boolean =>
  isPhone(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
