import type { MoreDoc } from '../rows/host-call.ts'
import type { sendCalls } from './send.ts'

export const sendDoc: MoreDoc<typeof sendCalls> = {
  sendTransaction: {
    says: 'Shows what a transaction does and costs; signs and sends it after a visible, trusted click, and follows it until the chain has carried it out. With `address`, of a wallet of another app, its provider asks the user in a window and sends it; nothing but the hash is known then.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'unsupported_chain_id',
      'not_supported',
      'user_rejected_request',
      'approval_required_elsewhere',
      'insufficient_funds',
      'transaction_failure',
      'not_visible',
      'too_many_requests',
    ],
  },
  signTransaction: {
    says: 'Likewise, and gives the signed transaction to the caller instead of sending it.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'unsupported_chain_id',
      'not_supported',
      'user_rejected_request',
      'approval_required_elsewhere',
      'transaction_failure',
      'not_visible',
      'too_many_requests',
    ],
  },
}
