import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import { signedInScreen } from './screens.ts'

export const signedIn = defineCapability({
  name: 'signed-in',
  screens: [signedInScreen],
  loadedFor: 'nobody',
  bring(ports) {
    const page = loadable(() => import('./standalone.ts'))
    return {
      load: page.load,
      standalone: async () => (await ports.load(page.load)).runStandalone(ports),
    }
  },
})
