import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const signedIn = defineCapability({
  name: 'signed-in',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const page = loadable(() => import('./standalone.ts'))
    return {
      load: page.load,
      standalone: async () => (await ports.load(page.load)).runStandalone(ports),
    }
  },
})
