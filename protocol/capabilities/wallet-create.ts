/** Creation of the embedded wallet. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { lenientWallet } from '../rows/lenient.ts'

export const walletCreateCalls = {
  createWallet: { policy: 'headless', input: v.object({}) },
} as const satisfies HostCallRows

export const walletCreateAnswers = { createWallet: v.object({ wallet: lenientWallet }) } as const

export const walletCreateDoc: HostCallDoc<typeof walletCreateCalls> = {
  createWallet: {
    summary: "Creates the user's embedded wallet.",
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'disallowed_recovery_method',
      'unknown_embedded_wallet_error',
    ],
  },
}
