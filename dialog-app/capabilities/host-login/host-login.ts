import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** A session that follows the login of the host page. */
export const hostLogin = defineCapability({
  name: 'host-login',
  loadedFor: 'nobody',
  bring(ports) {
    const code = loadable(async () => (await import('./host-login-code.ts')).createHostLogin(ports))
    return {
      hostLogin: () => ports.load(code.load),
      // Only a page with a login of its own has loaded the code.
      remedies: async () => [code.loaded()?.remedy].filter((remedy) => remedy !== undefined),
    }
  },
})
