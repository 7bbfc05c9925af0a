import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { Authenticator } from './authenticator.ts'

/** Loaded where the app has it on. Who asks the authenticators is given, so that a test has its own. */
export const passkeyBy = (authenticator: () => Promise<Authenticator>) =>
  defineCapability({
    name: 'passkey',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'visitors',
    bring(ports) {
      const code = loadable(async () => {
        const [{ bringPasskeys }, device] = await Promise.all([import('./passkeys.ts'), authenticator()])
        return bringPasskeys(ports, device)
      })
      const load = () => ports.load(code.load)
      return {
        load: async () => (await code.load()).loadEntry(),
        login: [
          {
            method: 'passkey',
            appSetting: 'passkeyAuth',
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

export const passkey = passkeyBy(
  async () => (await import('./browser-authenticator.ts')).browserAuthenticator,
)
