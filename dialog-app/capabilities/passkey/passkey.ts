import { defineCapability } from '../../core/capability.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'

/** The browser asks the authenticators, unless a test has one of its own. */
export const passkeyBy = (authenticator?: Authenticator) =>
  defineCapability({
    name: 'passkey',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'visitors',
    bring: (ports) => ({
      login: [
        {
          method: 'passkey',
          appSetting: 'passkeyAuth',
          shows: 'link',
          load: async () => (await import('./passkeys.ts')).passkeyMethod(ports, authenticator),
        },
      ],
    }),
  })

export const passkey = passkeyBy()
