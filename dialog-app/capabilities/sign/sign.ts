import { loadable } from '../../browser/loadable.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Creates the capability. `fetch` calls the nodes of Solana, and defaults to the browser's own. */
export const signThrough = (fetch?: Fetch) =>
  defineCapability({
    name: 'sign',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'users',
    bring(ports) {
      const signing = loadable(async () => (await import('./signing.ts')).createSigning(ports, fetch))
      return {
        load: signing.load,
        hostCalls: {
          names: [
            'signMessage',
            'signSolanaMessage',
            'signInSolana',
            'signSolanaTransaction',
            'sendSolanaTransaction',
            'signTypedData',
          ],
          load: signing.load,
        },
      }
    },
  })

export const sign = signThrough()
