import { defineCapability } from '../../contract/capability.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

/** Tests replace the authenticator and the windows. */
export const passkeyBy = (authenticator?: Authenticator, browser?: WindowBrowser) =>
  defineCapability({
    name: 'passkey',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'with its setting',
    loadedFor: 'visitors',
    bring: (ports) => ({
      login: [
        {
          method: 'passkey',
          appSetting: 'passkeyAuth',
          shows: 'link',
          load: async () => (await import('./passkeys.ts')).passkeyMethod(ports, authenticator, browser),
        },
      ],
    }),
  })

export const passkey = passkeyBy()
