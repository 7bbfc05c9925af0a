import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Links and unlinks accounts of a logged-in user, and changes their e-mail address. */
export const linking = defineCapability({
  name: 'linking',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./link.ts')).createLinking(ports))
    return {
      load: calls.load,
      hostCalls: { names: ['link', 'unlink', 'updateEmail', 'reauthorize'], load: calls.load },
    }
  },
})
