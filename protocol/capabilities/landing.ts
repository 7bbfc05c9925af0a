/** Connects a wallet or creates one, as the user chooses. */
import * as v from 'valibot'
import type { ConnectedWallet } from '../entities/wallets/wallet-account.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { type Lenient, lenientWallet } from '../rows/lenient.ts'

export const landingCalls = {
  connectOrCreateWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies HostCallRows

export const landingAnswers = {
  connectOrCreateWallet: v.object({ wallet: lenientWallet }) as unknown as Lenient<{
    wallet: ConnectedWallet
  }>,
} as const

export const landingDoc: HostCallDoc<typeof landingCalls> = {
  connectOrCreateWallet: {
    summary:
      'Opens the dialog with the login choices. Choosing a wallet only connects it; any other login creates an embedded wallet. Resolves immediately for a user who already has an embedded wallet.',
    errors: [
      'exited_auth_flow',
      'exited_link_flow',
      'embedded_wallet_not_found',
      'disallowed_login_method',
      'unknown_auth_error',
    ],
  },
}
