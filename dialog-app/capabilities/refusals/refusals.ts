import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { isRefusedAccount } from './codes.ts'

export const refusals = defineCapability({
  name: 'refusals',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'visitors',
  bring(ports) {
    const screens = loadable(() => import('./screen-for.ts'))
    return {
      load: screens.load,
      refusals: {
        hasOwnScreen: isRefusedAccount,
        async screenFor(error, ways) {
          const { screenFor } = await ports.load(screens.load)
          return screenFor(error, ports.settings(), ways)
        },
        async tell(error) {
          const { tellOf } = await ports.load(screens.load)
          await ports.stage.begin(tellOf(error, ports.settings()))
        },
      },
    }
  },
})
