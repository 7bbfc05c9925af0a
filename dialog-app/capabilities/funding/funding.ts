import { findEmbeddedWallet } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { hasFunding } from '../../host/settings.ts'
import type { FundingBrowser } from './browser.ts'

/** Creates the capability. Tests replace the browser and its `fetch`. */
export const fundingIn = (browser?: Partial<FundingBrowser>) =>
  defineCapability({
    name: 'funding',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const flows = loadable(async () => (await import('./host-calls.ts')).createFundingCalls(ports, browser))
      return {
        load: flows.load,
        hostCalls: { names: ['fundWallet'], load: flows.load },
        addFunds: async (card, needed) => (await ports.load(flows.load)).addFunds(card, needed),
        account: [
          {
            isHere: (settings, user) => hasFunding(settings) && findEmbeddedWallet(user) !== undefined,
            async load() {
              const [loaded, { createAccountEntry }] = await Promise.all([
                flows.load(),
                import('./account-entry.tsx'),
              ])
              return createAccountEntry(loaded)
            },
          },
        ],
      }
    },
  })

export const funding = fundingIn()
