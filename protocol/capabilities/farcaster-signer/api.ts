import * as v from 'valibot'
import { epochSeconds, fid } from '../../entities/primitives.ts'
import type { Routes } from '../../rows/route.ts'
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
