import { loadable } from '../../browser/loadable.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Creates the capability. `fetch` calls the RPC nodes, and defaults to the browser's own. */
export const sendThrough = (fetch?: Fetch) =>
  defineCapability({
    name: 'send',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const sending = loadable(async () => (await import('./sending.ts')).createSending(ports, fetch))
      return {
        load: sending.load,
        hostCalls: { names: ['sendTransaction', 'signTransaction'], load: sending.load },
      }
    },
  })

export const send = sendThrough()
