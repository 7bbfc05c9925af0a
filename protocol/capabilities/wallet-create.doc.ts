import type { MoreDoc } from '../rows/host-call.ts'
import type { walletCreateCalls } from './wallet-create.ts'

export const walletCreateDoc: MoreDoc<typeof walletCreateCalls> = {
  createWallet: {
    says: 'Makes the embedded wallet of the user.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'disallowed_recovery_method',
      'unknown_embedded_wallet_error',
    ],
  },
}
