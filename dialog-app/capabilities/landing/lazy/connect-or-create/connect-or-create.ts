import { loadable } from '../../../../browser/loadable.ts'
import { defineCapability } from '../../../../contract/capability.ts'

/** The rest of this capability, for a host's call that few pages make: it costs no login a byte. */
export const connectOrCreate = defineCapability({
  name: 'landing',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./flow.ts')).createConnectOrCreate(ports))
    return { load: calls.load, hostCalls: { names: ['connectOrCreateWallet'], load: calls.load } }
  },
})
