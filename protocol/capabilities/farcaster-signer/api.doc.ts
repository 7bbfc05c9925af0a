import type { RoutesDoc } from '../../rows/route.ts'
import type { farcasterSignerRoutes } from './api.ts'

const released = [
  'embedded_wallet_not_found',
  'linked_account_not_found',
  'not_supported',
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
  'insufficient_scope',
  'too_many_requests',
] as const

export const farcasterSignerDoc: RoutesDoc<typeof farcasterSignerRoutes> = {
  releaseForSigner: {
    says: 'Releases the share of the server for the public key of a Farcaster signer, sealed to the vault of the token. `key_index` says which one: a key that was removed from its account is never used again.',
    errors: [...released],
  },
  initSigner: {
    says: 'Asks Farcaster, in the name of the app of the operator, to let this key write for the account of the user. `signer_approval_url` is what their phone opens; there is none where the key was approved before.',
    errors: ['linked_account_not_found', 'not_supported', 'invalid_data', 'too_many_requests', 'unavailable'],
  },
  releaseToSignForFarcaster: {
    says: 'Releases the share of the server to sign the hash of one Farcaster message, which is written down. The signer was approved by the account of the user, which is `fid`.',
    errors: [...released, 'not_found'],
  },
  signerStatus: {
    says: 'Whether the account of the user lets this key write. Once it does, the account has `signer_public_key`. `revoked` is final: the key was taken from the account, or somebody else approved it.',
    errors: ['not_found', 'linked_account_not_found', 'unavailable'],
  },
}
