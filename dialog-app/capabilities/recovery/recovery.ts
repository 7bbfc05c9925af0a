import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const recovery = defineCapability({
  name: 'recovery',
  loadedFor: 'users',
  bring(ports) {
    const automatic = loadable(() => import('./automatic.ts'))
    return {
      load: automatic.load,
      remedies: async () => [(await automatic.load()).recoverAutomatically(ports)],
    }
  },
})
