import { loadable } from '../../browser/loadable.ts'
import type { KeyValueStore } from '../../browser/ports.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { defineCapability } from '../../contract/capability.ts'
import { rememberChain } from './remembered-chain.ts'

/** `fetch` is what chains are asked by, and `tab` what this tab keeps; the browser's own where none is given. */
export const ethereumThrough = (fetch?: Fetch, tab?: KeyValueStore) =>
  defineCapability({
    name: 'ethereum',
    loadedFor: 'nobody',
    bring(ports) {
      const keepChain = rememberChain(ports, tab)
      const provider = loadable(async () =>
        (await import('./provider.ts')).createProvider(ports, keepChain, fetch),
      )
      return {
        load: provider.load,
        hostCalls: {
          names: ['ethereumState', 'ethereumRequest', 'ethereumRead', 'ethereumRequestForUser'],
          load: provider.load,
        },
      }
    },
  })

export const ethereum = ethereumThrough()
