import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const landing = defineCapability({
  name: 'landing',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(async () => (await import('./login.ts')).createLandingLogin(ports))
    const calls = loadable(async () =>
      (await import('./later-connect-or-create.ts')).createConnectOrCreate(ports),
    )
    return {
      load: async () => (await login.load()).loadAhead(),
      moreCalls: { names: ['connectOrCreateWallet'], load: calls.load },
      logIn: async (caller) => (await ports.load(login.load)).logIn(caller),
    }
  },
})
