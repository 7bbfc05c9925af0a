import type { MoreDoc } from '../../rows/host-call.ts'
import type { farcasterSignerCalls } from './host.ts'

const ofWallet = [
  'must_be_authenticated',
  'linked_account_not_found',
  'embedded_wallet_not_found',
  'user_rejected_request',
  'not_supported',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
] as const

export const farcasterSignerDoc: MoreDoc<typeof farcasterSignerCalls> = {
  requestFarcasterSigner: {
    says: 'Has the user approve, on their phone, that this app writes for their Farcaster account with a key of their wallet. A key that they approved before is answered without asking.',
    errors: [...ofWallet, 'client_request_timeout', 'unknown_auth_error'],
  },
  signFarcasterMessage: {
    says: 'Signs the hash of a Farcaster message, 20 bytes of BLAKE3 in base64url, with the key that the user approved. Nobody is asked but for a second factor, or to recover the wallet.',
    errors: [...ofWallet, 'insufficient_scope', 'unable_to_sign'],
  },
}
