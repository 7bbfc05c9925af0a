/** Whether the app that approves is on this device: a phone can not scan its own screen. */
import { isPhone } from '../browser/device.ts'

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** A tablet of Apple calls itself a Mac, and no Mac has a touch screen. */
export const hasApp = ({ userAgent, maxTouchPoints }: Browser): boolean =>
  isPhone(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
