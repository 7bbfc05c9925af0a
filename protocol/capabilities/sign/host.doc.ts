import type { MoreDoc } from '../../rows/host-call.ts'
import type { signCalls } from './host.ts'

export const signDoc: MoreDoc<typeof signCalls> = {
  signMessage: {
    says: 'Shows the message; signs it after a visible, trusted click. With `address`, of a wallet of another app, its provider asks the user in a window.',
    errors: [
      'must_be_authenticated',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'embedded_wallet_not_found',
      'invalid_message',
      'user_rejected_request',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signSolanaMessage: {
    says: 'Shows the message; signs its UTF-8 with the Solana wallet of the user after a visible, trusted click.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_message',
      'user_rejected_request',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signTypedData: {
    says: 'Shows typed data (EIP-712) as a tree; signs exactly that after a visible, trusted click. A value that does not fit its type is refused with its path. Typed data for another chain than the wallet is on is not put to the user. With `address`, of a wallet of another app, its provider asks the user in a window.',
    errors: [
      'must_be_authenticated',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'embedded_wallet_not_found',
      'invalid_message',
      'unsupported_chain_id',
      'user_rejected_request',
      'approval_required_elsewhere',
      'unable_to_sign',
      'not_visible',
      'too_many_requests',
    ],
  },
}
