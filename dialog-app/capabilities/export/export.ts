import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const exportIn = (browser?: { userAgent: string }) =>
  defineCapability({
    name: 'export',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports, browser))
      return { load: calls.load, hostCalls: { names: ['exportWallet'], load: calls.load } }
    },
  })

export const keyExport = exportIn()
