import { loadable } from '../../browser/loadable.ts'
import { type KeyValueStore, tabStore } from '../../browser/ports.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Uses the given `fetch` for RPC nodes and the given storage of the tab. */
export const batchThrough = (fetch?: Fetch, tab: KeyValueStore = tabStore) =>
  defineCapability({
    name: 'batch',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const batches = loadable(async () => (await import('./batches.ts')).createBatches(ports, tab, fetch))
      return {
        load: batches.load,
        hostCalls: { names: ['sendBatch', 'batchStatus', 'showBatch'], load: batches.load },
      }
    },
  })

export const batch = batchThrough()
