/** What a host hears of its call `connectWallet` where the app has no wallets on, and so nothing else of them is here. */
import { LatchkeyError } from '@latchkey/protocol'
import { siweCalls } from '@latchkey/protocol/host'
import { defineCapability } from '../../core/capability.ts'

export const noWallets = defineCapability({
  name: 'siwe',
  loadedFor: 'nobody',
  bring: () => ({
    moreCalls: {
      names: ['connectWallet'],
      load: async () => ({
        rows: siweCalls,
        handlers: {
          async connectWallet() {
            throw new LatchkeyError('disallowed_login_method', 'This app has no login by wallet')
          },
        },
      }),
    },
  }),
})
