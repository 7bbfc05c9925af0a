import type { WindowBrowser } from '../../window-login/browser.ts'
import { capabilities } from '../index.ts'
import { oauth } from './oauth.ts'
import { oauthMethod } from './oauth-login.ts'
import { type SocialProvider, socialProvider } from './providers.ts'

/** Every capability, with another browser behind this one. */
export function capabilitiesIn(browser: WindowBrowser) {
  const inBrowser = {
    ...oauth,
    bring(ports: Parameters<typeof oauth.bring>[0]) {
      const { login, resume } = oauth.bring(ports)
      return {
        resume,
        login: login.map((offered) => ({
          ...offered,
          load: async () => oauthMethod(ports, socialProvider(offered.method as SocialProvider), browser),
        })),
      }
    },
  }
  return capabilities.map((each) => (each.name === 'oauth' ? inBrowser : each))
}
