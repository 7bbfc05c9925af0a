import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const sign = defineCapability({
  name: 'sign',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'users',
  bring(ports) {
    const signing = loadable(async () => (await import('./signing.ts')).createSigning(ports))
    return {
      load: signing.load,
      hostCalls: {
        names: ['signMessage', 'signSolanaMessage', 'signSolanaTransaction', 'signTypedData'],
        load: signing.load,
      },
    }
  },
})
