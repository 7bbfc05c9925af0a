/** Farcaster signers: keys of the user's wallet that sign messages for their Farcaster account. */
import * as v from 'valibot'
import { fid } from '../../entities/primitives.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { farcasterHash, farcasterSignature, signerPublicKey } from './wallet.ts'

export const farcasterSignerCalls = {
  requestFarcasterSigner: { policy: 'needs-user', input: v.object({}) },
  signFarcasterMessage: { policy: 'needs-user', input: v.object({ hash: farcasterHash }) },
} as const satisfies HostCallRows

export const farcasterSignerAnswers = {
  requestFarcasterSigner: v.object({ publicKey: signerPublicKey, fid }),
  signFarcasterMessage: v.object({ signature: farcasterSignature }),
} as const

const walletErrors = [
  'must_be_authenticated',
  'linked_account_not_found',
  'embedded_wallet_not_found',
  'user_rejected_request',
  'not_supported',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
] as const

export const farcasterSignerDoc: HostCallDoc<typeof farcasterSignerCalls> = {
  requestFarcasterSigner: {
    summary:
      'Has the user approve, on their phone, a wallet key that signs messages of their Farcaster account for this app. Returns a previously approved key without asking.',
    errors: [...walletErrors, 'client_request_timeout', 'unknown_auth_error'],
  },
  signFarcasterMessage: {
    summary:
      'Signs the hash of a Farcaster message (20 bytes of BLAKE3, base64url) with the approved key. The user is only asked for a second factor, or to recover the wallet.',
    errors: [...walletErrors, 'insufficient_scope', 'unable_to_sign'],
  },
}
