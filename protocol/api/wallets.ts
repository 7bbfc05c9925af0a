import * as v from 'valibot'
import { recoveryMethods } from '../entities/linked-account.ts'
import { evmAddress, hex, id, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { walletPurposeSchema } from '../wallet/operations.ts'
import {
  chainTypes,
  sealedShareSchema,
  serverSealingKeySchema,
  shareKinds,
  vaultKeySchema,
} from '../wallet/shares.ts'
import type { Routes } from './route.ts'

const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Which wallet, and which of the secrets that it had. */
const line = {
  walletId: id,
  userId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation,
}

const committedWallet = v.object({
  status: v.literal('committed'),
  ...line,
  address: evmAddress,
  recoveryMethod: v.picklist(recoveryMethods),
})
const pendingWallet = v.object({
  status: v.literal('pending'),
  ...line,
  sealingKey: serverSealingKeySchema,
})
export type CommittedWallet = v.InferOutput<typeof committedWallet>
export type PendingWallet = v.InferOutput<typeof pendingWallet>

export const walletRoutes = {
  walletToken: {
    says: "A wallet token of 60 s for one step of a vault's operation: it names the vault's key, the operation and step, what it is for, and the wallet.",
    method: 'POST',
    path: '/wallets/token',
    auth: 'dialog',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({
      ...vaultKeySchema.entries,
      purpose: walletPurposeSchema,
      /** The wallet that the step is about; null where one is to be made. */
      address: v.nullable(evmAddress),
    }),
    output: v.object({ token: text }),
    errors: ['must_be_authenticated', 'insufficient_scope', 'embedded_wallet_not_found', 'too_many_requests'],
  },
  walletStatus: {
    says: 'The wallet of the token as the server pins it.',
    method: 'GET',
    path: '/wallets',
    auth: 'wallet',
    forks: true,
    purposes: ['connect'],
    effect: 'reads',
    appHeader: true,
    output: v.object({ wallet: committedWallet }),
    errors: ['missing_or_invalid_token', 'insufficient_scope', 'embedded_wallet_not_found'],
  },
  beginWallet: {
    says: 'Opens the one place that a user has for a wallet of this chain, or tells the wallet that is in it.',
    method: 'POST',
    path: '/wallets/begin',
    auth: 'wallet',
    forks: false,
    purposes: ['create'],
    effect: 'changes',
    appHeader: true,
    body: v.object({ chainType: v.literal('ethereum') }),
    output: v.variant('status', [pendingWallet, committedWallet]),
    errors: ['missing_or_invalid_token', 'insufficient_scope'],
  },
  commitWallet: {
    says: 'Fills the place with this wallet if it is still open; whoever comes second gets the wallet that is there.',
    method: 'POST',
    path: '/wallets/commit',
    auth: 'wallet',
    forks: false,
    purposes: ['create'],
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      walletId: id,
      generation,
      address: evmAddress,
      recoveryMethod: v.literal('latchkey'),
      sealingKeyId: id,
      authShare: sealedShareSchema,
      recoveryShare: sealedShareSchema,
      /** The digest of `walletProofBytes`, signed by the new key. */
      proof: hex,
    }),
    /** `user` has the wallet, so that nobody has to ask for it again. */
    output: v.object({ wallet: committedWallet, user: userRecordSchema }),
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'invalid_data',
      'embedded_wallet_not_found',
      'share_malformed',
    ],
  },
  releaseShares: {
    says: 'The shares that the server releases for the purpose of the token, sealed to its vault, for its step: for a signature the auth share, for a recovery both.',
    method: 'POST',
    path: '/wallets/shares',
    auth: 'wallet',
    forks: true,
    purposes: ['sign', 'recover'],
    effect: 'changes',
    appHeader: true,
    body: v.object({}),
    output: v.object({
      wallet: committedWallet,
      authShare: sealedShareSchema,
      recoveryShare: v.nullable(sealedShareSchema),
    }),
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'embedded_wallet_not_found',
      'too_many_requests',
      'missing_or_invalid_mfa',
    ],
  },
} as const satisfies Routes
