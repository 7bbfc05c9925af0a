import * as v from 'valibot'
import { epochSeconds, fid } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { sealedShareSchema } from '../../vault/shares.ts'
import { appLink } from '../farcaster/api.ts'
import { mfaTokenField } from '../mfa/token.ts'
import { committedWalletSchema } from '../wallets.ts'
import { farcasterHash, signerKeyIndex, signerPublicKey, signerStatuses } from './wallet.ts'

const signer = {
  publicKey: signerPublicKey,
  status: v.picklist(signerStatuses),
  /** Of the account that it writes for, once that has approved it. */
  fid: v.exactOptional(fid),
}
const ofWallet = { method: 'POST', auth: 'wallet', effect: 'changes, replayed', appHeader: true } as const
const released = v.object({
  wallet: committedWalletSchema,
  authShare: sealedShareSchema,
  keyIndex: signerKeyIndex,
})

export const farcasterSignerRoutes = {
  releaseForSigner: {
    ...ofWallet,
    path: '/farcaster/signer/shares',
    forks: false,
    purposes: ['farcaster-signer'],
    body: v.object(mfaTokenField),
    output: released,
  },
  initSigner: {
    ...ofWallet,
    path: '/farcaster/signer/init',
    forks: false,
    purposes: ['farcaster-signer'],
    body: v.object({ ed25519PublicKey: signerPublicKey, deadline: v.exactOptional(epochSeconds) }),
    /** What a phone opens, where there is something to approve. */
    output: v.object({ ...signer, signerApprovalUrl: v.exactOptional(appLink) }),
  },
  releaseToSignForFarcaster: {
    ...ofWallet,
    path: '/farcaster/signer/messages',
    forks: false,
    purposes: ['farcaster-sign'],
    body: v.object({ hash: farcasterHash, fid, ...mfaTokenField }),
    output: released,
  },
  signerStatus: {
    method: 'POST',
    path: '/farcaster/signer/status',
    auth: 'dialog',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({ ed25519PublicKey: signerPublicKey }),
    output: v.object(signer),
  },
} as const satisfies Routes

const releaseErrors = [
  'embedded_wallet_not_found',
  'linked_account_not_found',
  'not_supported',
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
  'method_too_new',
  'insufficient_scope',
  'too_many_requests',
] as const

export const farcasterSignerDoc: RoutesDoc<typeof farcasterSignerRoutes> = {
  releaseForSigner: {
    summary:
      'Releases the share of the server for the public key of a Farcaster signer, sealed to the vault of the token. `key_index` says which one: a key that was removed from its account is never used again.',
    errors: [...releaseErrors],
  },
  initSigner: {
    summary:
      'Asks Farcaster, in the name of the app of the operator, to let this key write for the account of the user. `signer_approval_url` is what their phone opens; there is none where the key was approved before.',
    errors: ['linked_account_not_found', 'not_supported', 'invalid_data', 'too_many_requests', 'unavailable'],
  },
  releaseToSignForFarcaster: {
    summary:
      'Releases the share of the server to sign the hash of one Farcaster message, which is written down. The signer was approved by the account of the user, which is `fid`.',
    errors: [...releaseErrors, 'not_found'],
  },
  signerStatus: {
    summary:
      'Whether the account of the user lets this key write. Once it does, the account has `signer_public_key`. `revoked` is final: the key was taken from the account, or somebody else approved it.',
    errors: ['not_found', 'linked_account_not_found', 'unavailable'],
  },
}
