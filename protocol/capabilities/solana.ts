/** The user's Solana wallet. `sign/wallet.ts` defines its signing request. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { lenientWallet } from '../rows/lenient.ts'

const empty = v.object({})

export const solanaCalls = {
  createSolanaWallet: { policy: 'headless', input: empty },
  solanaWallet: { policy: 'headless', input: v.object({ announce: v.boolean() }) },
} as const satisfies HostCallRows

export const solanaAnswers = {
  createSolanaWallet: v.object({ wallet: lenientWallet }),
  /** `announced`: the name to announce the wallet under, if the page requested it. */
  solanaWallet: v.object({
    wallet: lenientWallet,
    announced: v.exactOptional(v.object({ name: v.string() })),
    /** Whether the app lets it sign transactions. */
    signsTransactions: v.exactOptional(v.literal(true)),
  }),
} as const

export const solanaDoc: HostCallDoc<typeof solanaCalls> = {
  createSolanaWallet: {
    summary:
      'Creates a Solana wallet. Without an Ethereum wallet, it uses automatic recovery, so it is not available in apps that require a user-owned recovery method. With one, and the app setting `solana_beside_ethereum`, the secret of the Ethereum wallet derives it, and both have the same recovery method. The dialog may then ask for a second factor or recover the wallet.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'disallowed_recovery_method',
      'not_supported',
      'unknown_embedded_wallet_error',
    ],
  },
  solanaWallet: {
    summary: "Returns the user's Solana wallet for a provider of the page.",
    errors: ['must_be_authenticated', 'embedded_wallet_not_found'],
  },
}
