import { findEmbeddedWallet } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { usableChains } from '../../host/chains.ts'

/** Shows the contracts that the user's wallet runs (EIP-7702), and removes or replaces them. */
export const delegation = defineCapability({
  name: 'delegation',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const entry = loadable(async () => (await import('./account-entry.tsx')).createAccountEntry(ports))
    return {
      load: entry.load,
      account: [
        {
          isHere: (settings, user) =>
            findEmbeddedWallet(user) !== undefined && usableChains(settings).length > 0,
          load: entry.load,
        },
      ],
    }
  },
})
