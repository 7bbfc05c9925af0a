/** The user's own Solana wallet. What it signs is a row of `sign/wallet.ts`. */
import * as v from 'valibot'
import type { MoreRows } from '../rows/host-call.ts'
import { looseWallet } from '../rows/lenient.ts'

const nothing = v.object({})

export const solanaCalls = {
  createSolanaWallet: { policy: 'headless', input: nothing },
  solanaWallet: { policy: 'headless', input: v.object({ announce: v.boolean() }) },
} as const satisfies MoreRows

export const solanaAnswers = {
  createSolanaWallet: v.object({ wallet: looseWallet }),
  /** `announced`: under which name the page is to offer it, where it asked for that. */
  solanaWallet: v.object({
    wallet: looseWallet,
    announced: v.exactOptional(v.object({ name: v.string() })),
  }),
} as const
