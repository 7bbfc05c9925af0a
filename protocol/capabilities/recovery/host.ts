/** How the user's own wallet comes back. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { lenientWallet } from '../../rows/lenient.ts'

export const recoveryCalls = {
  setWalletRecovery: { policy: 'needs-user', input: v.object({}) },
} as const satisfies HostCallRows

export const recoveryAnswers = { setWalletRecovery: v.object({ wallet: lenientWallet }) } as const

export const recoveryDoc: HostCallDoc<typeof recoveryCalls> = {
  setWalletRecovery: {
    summary:
      'Opens the dialog to choose what the user keeps for the recovery of their wallet, or something else in its place. Where a wallet is made with their choice, it makes the one that they have not yet.',
    errors: [
      'must_be_authenticated',
      'user_exited_set_password_flow',
      'embedded_wallet_not_found',
      'disallowed_recovery_method',
    ],
  },
}
