import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Accounts of a user who is logged in: linked, unlinked, and the e-mail address changed. The methods prove them. */
export const linking = defineCapability({
  name: 'linking',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./link.ts')).createLinking(ports))
    return {
      load: calls.load,
      moreCalls: { names: ['link', 'unlink', 'updateEmail', 'reauthorize'], load: calls.load },
    }
  },
})
