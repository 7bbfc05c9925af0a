import { defineCapability } from '../../core/capability.ts'

export const recovery = defineCapability({
  name: 'recovery',
  loadedFor: 'nobody',
  bring: (ports) => ({
    remedies: async () => [(await import('./automatic.ts')).recoverAutomatically(ports)],
  }),
})
