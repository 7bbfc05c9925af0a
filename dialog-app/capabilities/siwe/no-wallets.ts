import { defineCapability } from '../../contract/capability.ts'

/** Replaces the capability `siwe` in apps without external wallets. */
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
