import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

/** Codes that are sent, whatever sends them. */
export const codes = defineCapability({
  name: 'codes',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'visitors',
  bring(ports) {
    const codeLogin = loadable(() => import('./code-login.ts'))
    return {
      load: codeLogin.load,
      codeLogins: {
        start: async (progress, method) =>
          (await ports.load(codeLogin.load)).startCodeLogin(ports, progress, method),
      },
    }
  },
})
