import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** One-time codes by e-mail and SMS. */
export const codes = defineCapability({
  name: 'codes',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
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
