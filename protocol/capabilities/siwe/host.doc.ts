import type { MoreDoc } from '../../rows/host-call.ts'
import type { siweCalls } from './host.ts'

export const siweDoc: MoreDoc<typeof siweCalls> = {
  connectWallet: {
    says: 'Opens the dialog to connect a wallet that the user brings. Nobody is logged in by that, and nothing is proved.',
    errors: [
      'exited_link_flow',
      'disallowed_login_method',
      'user_rejected_request',
      'wallet_request_pending',
      'client_request_timeout',
      'generic_connect_wallet_error',
      'unknown_connect_wallet_error',
    ],
  },
}
