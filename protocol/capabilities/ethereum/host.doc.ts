import type { MoreDoc } from '../../rows/host-call.ts'
import type { ethereumCalls } from './host.ts'

export const ethereumDoc: MoreDoc<typeof ethereumCalls> = {
  ethereumState: {
    says: 'What a provider begins with: the chain that the wallet is on, its account, and the name and icon of the app. With `wallet`, of a wallet of another app, it is a provider of that one, with the name and icon of its app.',
    errors: ['session_storage_unavailable', 'invalid_data', 'cross_app_connection_not_allowed'],
  },
  ethereumRequest: {
    says: 'A method of the provider that needs no user, as its table says. What reads is asked of the chain, at the addresses that the operator named.',
    errors: ['method_not_found', 'invalid_data', 'unsupported_chain_id', 'server_unreachable'],
  },
  ethereumRead: {
    says: 'A method of the provider that only reads the chain.',
    errors: ['method_not_found', 'invalid_data', 'server_unreachable'],
  },
  ethereumRequestForUser: {
    says: 'Likewise one that waits for the user: accounts, with a login where there is none, signatures and transactions. What is shown and refused is that of the calls that sign and send.',
    errors: [
      'method_not_found',
      'invalid_data',
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'exited_auth_flow',
      'user_rejected_request',
      'invalid_message',
      'unsupported_chain_id',
      'approval_required_elsewhere',
      'insufficient_funds',
      'transaction_failure',
      'unable_to_sign',
      'not_visible',
      'too_many_requests',
    ],
  },
}
