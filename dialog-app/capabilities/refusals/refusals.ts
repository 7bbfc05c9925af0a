import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { isRefusedAccount } from './codes.ts'

export const refusals = defineCapability({
  name: 'refusals',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'visitors',
  bring(ports) {
    const code = loadable(() => import('./show-error.ts'))
    return {
      load: code.load,
      refusals: {
        hasOwnScreen: isRefusedAccount,
        async show(card, error) {
          const { showError } = await ports.load(code.load)
          return showError(ports, card, error)
        },
        async tell(error) {
          const { createErrorCall } = await ports.load(code.load)
          await ports.stage.begin(createErrorCall(ports, error))
        },
      },
    }
  },
})
