import { findEmbeddedWallet } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const activity = defineCapability({
  name: 'activity',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flow = loadable(async () => (await import('./activity-flow.ts')).showActivity(ports))
    return {
      load: flow.load,
      account: [
        {
          isHere: (_settings, user) =>
            findEmbeddedWallet(user) !== undefined || findEmbeddedWallet(user, 'solana') !== undefined,
          load: flow.load,
        },
      ],
    }
  },
})
