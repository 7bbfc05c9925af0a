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
  /** The account that the key may sign for, once that account has approved the key. */
  fid: v.exactOptional(fid),
}
const walletRoute = { method: 'POST', auth: 'wallet', effect: 'changes, replayed', appHeader: true } as const
const released = v.object({
  wallet: committedWalletSchema,
  authShare: sealedShareSchema,
  keyIndex: signerKeyIndex,
})

export const farcasterSignerRoutes = {
  releaseForSigner: {
    ...walletRoute,
    path: '/farcaster/signer/shares',
    forks: false,
    purposes: ['farcaster-signer'],
    body: v.object(mfaTokenField),
    output: released,
  },
  initSigner: {
    ...walletRoute,
    path: '/farcaster/signer/init',
    forks: false,
    purposes: ['farcaster-signer'],
    body: v.object({ ed25519PublicKey: signerPublicKey, deadline: v.exactOptional(epochSeconds) }),
    /** `signerApprovalUrl` is opened on the phone. It is absent if the key is already approved. */
    output: v.object({ ...signer, signerApprovalUrl: v.exactOptional(appLink) }),
  },
  releaseToSignForFarcaster: {
    ...walletRoute,
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
      "Releases the server's share to derive the public key of a Farcaster signer, sealed to the vault of the token. `key_index` selects the key: a key removed from its account is never reused.",
    errors: [...releaseErrors],
  },
  initSigner: {
    summary:
      "Asks Farcaster, on behalf of the operator's app, to add this key to the user's account. The user opens `signer_approval_url` on their phone. It is absent if the key is already approved.",
    errors: ['linked_account_not_found', 'not_supported', 'invalid_data', 'too_many_requests', 'unavailable'],
  },
  releaseToSignForFarcaster: {
    summary:
      "Releases the server's share to sign the hash of one Farcaster message, and records it in the activity. The account `fid` of the user must have approved the signer.",
    errors: [...releaseErrors, 'not_found'],
  },
  signerStatus: {
    summary:
      "Returns whether the user's account has approved this key. Once approved, the account has `signer_public_key`. `revoked` is final: the key was removed from the account, or another account approved it.",
    errors: ['not_found', 'linked_account_not_found', 'unavailable'],
  },
}
