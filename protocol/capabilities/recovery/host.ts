/** The recovery method of the embedded wallet. */
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
      "Opens the dialog to choose or change the recovery method of the user's wallet. If the app requires this choice to create a wallet, the call creates a missing wallet.",
    errors: [
      'must_be_authenticated',
      'user_exited_set_password_flow',
      'embedded_wallet_not_found',
      'disallowed_recovery_method',
    ],
  },
}
