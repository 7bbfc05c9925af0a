import type { WindowBrowser } from '../../window-login/browser.ts'
import { capabilities } from '../index.ts'
import { telegram } from './telegram.ts'
import { telegramMethod } from './telegram-login.ts'

/** Every capability, with another browser behind this one. */
export function capabilitiesIn(browser: WindowBrowser) {
  const inBrowser = {
    ...telegram,
    bring(ports: Parameters<typeof telegram.bring>[0]) {
      const { login } = telegram.bring(ports)
      return {
        login: login.map((offered) => ({ ...offered, load: async () => telegramMethod(ports, browser) })),
      }
    },
  }
  return capabilities.map((each) => (each.name === 'telegram' ? inBrowser : each))
}
