import { loadable } from '../../../../browser/loadable.ts'
import { defineCapability } from '../../../../contract/capability.ts'

/** Serves the host call `connectOrCreateWallet`. Loads on demand, because few pages use it. */
export const connectOrCreate = defineCapability({
  name: 'landing',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./flow.ts')).createConnectOrCreate(ports))
    return { load: calls.load, hostCalls: { names: ['connectOrCreateWallet'], load: calls.load } }
  },
})
