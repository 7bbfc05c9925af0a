/** The user's own Solana wallet. What it signs is a row of `sign/wallet.ts`. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { lenientWallet } from '../rows/lenient.ts'

const nothing = v.object({})

export const solanaCalls = {
  createSolanaWallet: { policy: 'headless', input: nothing },
  solanaWallet: { policy: 'headless', input: v.object({ announce: v.boolean() }) },
} as const satisfies HostCallRows

export const solanaAnswers = {
  createSolanaWallet: v.object({ wallet: lenientWallet }),
  /** `announced`: under which name the page is to offer it, where it asked for that. */
  solanaWallet: v.object({
    wallet: lenientWallet,
    announced: v.exactOptional(v.object({ name: v.string() })),
  }),
} as const

export const solanaDoc: HostCallDoc<typeof solanaCalls> = {
  createSolanaWallet: {
    summary:
      'Makes the Solana wallet of a user who has no Ethereum wallet yet. It has automatic recovery, so an app that leaves recovery to its users makes none.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'disallowed_recovery_method',
      'unknown_embedded_wallet_error',
    ],
  },
  solanaWallet: {
    summary: 'The Solana wallet of the user, for a provider of the page.',
    errors: ['must_be_authenticated', 'embedded_wallet_not_found'],
  },
}
