import type { MoreDoc } from './row.ts'
import type { signCalls } from './sign.ts'

export const signDoc: MoreDoc<typeof signCalls> = {
  signMessage: {
    says: 'Shows the message; signs it after a visible, trusted click.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_message',
      'user_rejected_request',
      'unable_to_sign',
      'not_visible',
      'too_many_requests',
    ],
  },
}
