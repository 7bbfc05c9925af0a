/** A wallet for the page, by whichever way its user likes. */
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
      'Opens the dialog with the choices of a login, where a wallet is connected and no more, and whoever logs in gets an embedded one. A user who has that is answered with it at once; one who only brings a wallet connects it.',
    errors: [
      'exited_auth_flow',
      'exited_link_flow',
      'embedded_wallet_not_found',
      'disallowed_login_method',
      'unknown_auth_error',
    ],
  },
}
