import { socialProviders } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { OfferedMethod } from '../../core/login.ts'

/** Nine login methods that differ in nothing but their provider. */
export const oauth = defineCapability({
  name: 'oauth',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./oauth-login.ts'))
    return {
      load: async () => (await login.load()).loadEntry(),
      login: socialProviders.map((provider): OfferedMethod => {
        const type = `${provider}_oauth` as const
        return {
          method: provider,
          appSetting: `${provider}Oauth`,
          shows: 'row',
          account: {
            type,
            idOf: (account) => (account.type === type ? account.subject : undefined),
            unlink: async (...account) =>
              (await ports.load(login.load)).unlinkOAuth(ports, provider, ...account),
          },
          start: async (progress) =>
            (await ports.load(login.load)).startOAuthLogin(ports, provider, progress),
        }
      }),
    }
  },
})
