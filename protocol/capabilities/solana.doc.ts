import type { MoreDoc } from '../rows/host-call.ts'
import type { solanaCalls } from './solana.ts'

export const solanaDoc: MoreDoc<typeof solanaCalls> = {
  createSolanaWallet: {
    says: 'Makes the Solana wallet of a user who has no Ethereum wallet yet. It has automatic recovery, so an app that leaves recovery to its users makes none.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'disallowed_recovery_method',
      'unknown_embedded_wallet_error',
    ],
  },
  solanaWallet: {
    says: 'The Solana wallet of the user, for a provider of the page.',
    errors: ['must_be_authenticated', 'embedded_wallet_not_found'],
  },
}
