/** How the user's own wallet comes back. */
import * as v from 'valibot'
import type { MoreRows } from '../../rows/host-call.ts'
import { looseWallet } from '../../rows/lenient.ts'

export const recoveryCalls = {
  setWalletRecovery: { policy: 'needs-user', input: v.object({}) },
} as const satisfies MoreRows

export const recoveryAnswers = { setWalletRecovery: v.object({ wallet: looseWallet }) } as const
