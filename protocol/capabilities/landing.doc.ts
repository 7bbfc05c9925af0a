import type { MoreDoc } from '../rows/host-call.ts'
import type { landingCalls } from './landing.ts'

export const landingDoc: MoreDoc<typeof landingCalls> = {
  connectOrCreateWallet: {
    says: 'Opens the dialog with the choices of a login, where a wallet is connected and no more, and whoever logs in gets an embedded one. A user who has that is answered with it at once; one who only brings a wallet connects it.',
    errors: [
      'exited_auth_flow',
      'exited_link_flow',
      'embedded_wallet_not_found',
      'disallowed_login_method',
      'unknown_auth_error',
    ],
  },
}
