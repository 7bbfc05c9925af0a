import type { MoreDoc } from '../../rows/host-call.ts'
import type { recoveryCalls } from './host.ts'

export const recoveryDoc: MoreDoc<typeof recoveryCalls> = {
  setWalletRecovery: {
    says: 'Opens the dialog to choose what the user keeps for the recovery of their wallet, or something else in its place. Where a wallet is made with their choice, it makes the one that they have not yet.',
    errors: [
      'must_be_authenticated',
      'user_exited_set_password_flow',
      'embedded_wallet_not_found',
      'disallowed_recovery_method',
    ],
  },
}
