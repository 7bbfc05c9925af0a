import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const keyImport = defineCapability({
  name: 'import',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports))
    return { load: calls.load, hostCalls: { names: ['importWallet'], load: calls.load } }
  },
})
