import { defineCapability } from '../../contract/capability.ts'

/** In place of the rest, where an app has no wallets on. */
export const noWallets = defineCapability({
  name: 'siwe',
  loadedFor: 'nobody',
  bring: () => ({
    moreCalls: {
      names: ['connectWallet'],
      load: async () => (await import('./refused-connection.ts')).refused,
    },
  }),
})
