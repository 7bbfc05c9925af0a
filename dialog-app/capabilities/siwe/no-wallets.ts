import { defineCapability } from '../../contract/capability.ts'

/** This capability takes the place of `siwe` where an app has no wallets on. */
export const noWallets = defineCapability({
  name: 'siwe',
  loadedFor: 'nobody',
  bring: () => ({
    hostCalls: {
      names: ['connectWallet', 'connectedWalletRequest', 'disconnectWallet'],
      load: async () => (await import('./refused-connection.ts')).refused,
    },
  }),
})
