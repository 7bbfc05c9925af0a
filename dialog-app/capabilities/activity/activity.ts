import { findEmbeddedWallet } from '@latchkey/protocol'
import { defineCapability } from '../../contract/capability.ts'

export const activity = defineCapability({
  name: 'activity',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring: () => ({
    account: [
      {
        isHere: (_settings, user) =>
          findEmbeddedWallet(user) !== undefined || findEmbeddedWallet(user, 'solana') !== undefined,
        load: async () => (await import('./account-entry.tsx')).accountEntry,
      },
    ],
  }),
})
