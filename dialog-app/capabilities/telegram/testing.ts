import type { WindowBrowser } from '../../window-login/browser.ts'
import { capabilities } from '../index.ts'
import { telegramOn } from './telegram.ts'

/** Every capability, with another browser behind this one. */
export const capabilitiesIn = (browser: WindowBrowser) =>
  capabilities.map((each) => (each.name === 'telegram' ? telegramOn(browser) : each))
