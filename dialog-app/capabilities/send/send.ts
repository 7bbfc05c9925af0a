import { loadable } from '../../browser/loadable.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { defineCapability } from '../../contract/capability.ts'

/** `fetch` is what chains are asked by; the browser's own where none is given. */
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
