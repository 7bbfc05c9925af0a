import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const landing = defineCapability({
  name: 'landing',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(async () => (await import('./login.ts')).createLandingLogin(ports))
    return {
      load: async () => (await login.load()).loadAhead(),
      logIn: async (caller) => (await ports.load(login.load)).logIn(caller),
    }
  },
})
