import type { MoreDoc } from '../../rows/host-call.ts'
import type { fundingCalls } from './host.ts'

export const fundingDoc: MoreDoc<typeof fundingCalls> = {
  fundWallet: {
    says: 'Opens the dialog in which the user buys with a card for one of their wallets, or sees where to send something to. `not_supported` says `Fiat on-ramp is not enabled` or `Unsupported fund provider: {provider}`.',
    errors: [
      'must_be_authenticated',
      'not_supported',
      'invalid_data',
      'linked_account_not_found',
      'user_rejected_request',
    ],
  },
}
