import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { Authenticator } from './authenticator.ts'

/** The browser asks the authenticators, unless a test has one of its own. */
export const passkeyBy = (authenticator?: Authenticator) =>
  defineCapability({
    name: 'passkey',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'visitors',
    bring(ports) {
      const passkeys = loadable(async () =>
        (await import('./passkeys.ts')).bringPasskeys(ports, authenticator),
      )
      const load = () => ports.load(passkeys.load)
      return {
        load: async () => (await passkeys.load()).loadEntry(),
        login: [
          {
            method: 'passkey',
            appSetting: 'passkeyAuth',
            shows: 'link',
            account: {
              type: 'passkey',
              idOf: (account) => (account.type === 'passkey' ? account.credentialId : undefined),
              nameOf: async (account) => (await load()).nameOf(account),
              unlink: async (...account) => (await load()).unlink(...account),
            },
            start: async (progress) => (await load()).start(progress),
            linkFlow: async (unlink) => (await load()).linkFlow(unlink),
          },
        ],
      }
    },
  })

export const passkey = passkeyBy()
