import { loginMethodRows, product, socialProviders } from '@latchkey/protocol'
import { isPhone } from '../../browser/device.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { OfferedMethod } from '../../contract/login.ts'
import type { Settings } from '../../host/settings.ts'

/** Login methods that share one OAuth flow and differ only in the provider. */
export const oauth = defineCapability({
  name: 'oauth',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'with its setting',
  loadedFor: 'visitors',
  bring: (ports) => ({
    login: socialProviders.map(
      (provider): OfferedMethod => ({
        method: provider,
        appSetting: loginMethodRows[provider].setting,
        shows: 'row',
        ...(provider === 'twitter' && { isHere: isTwitterHere }),
        async load() {
          const [{ oauthMethod }, { socialProvider }] = await Promise.all([
            import('./oauth-login.ts'),
            import('./providers.ts'),
          ])
          return oauthMethod(ports, socialProvider(provider))
        },
      }),
    ),
    async resume(parameters) {
      if (!parameters.has(product.query.oauthCode)) return
      const { resumeLogin } = await ports.load(() => import('./redirect.ts'))
      await resumeLogin(ports, parameters)
    },
  }),
})

/** Hidden on phones by default, because Twitter's app intercepts the OAuth page there. Apps and hosts can opt in. */
const isTwitterHere = ({ app, config: { loginConfig } }: Settings) =>
  (loginConfig?.twitterOAuthOnMobileEnabled ?? app.twitterOauthOnMobileEnabled) ||
  !isPhone(navigator.userAgent)
