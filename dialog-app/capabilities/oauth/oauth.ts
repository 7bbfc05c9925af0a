import { socialProviders } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import type { OfferedMethod } from '../../core/login.ts'

/** Nine login methods that differ in nothing but their provider. */
export const oauth = defineCapability({
  name: 'oauth',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'visitors',
  bring: (ports) => ({
    login: socialProviders.map(
      (provider): OfferedMethod => ({
        method: provider,
        appSetting: `${provider}Oauth`,
        shows: 'row',
        load: async () => (await import('./oauth-login.ts')).oauthMethod(ports, provider),
      }),
    ),
  }),
})
