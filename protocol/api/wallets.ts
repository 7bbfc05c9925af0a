import * as v from 'valibot'
import { recoveryMethods } from '../entities/linked-account.ts'
import { evmAddress, hex, id, text } from '../entities/primitives.ts'
import { sealedShareSchema, sealingKey, serverSealingKeySchema } from '../sealing.ts'
import type { Routes } from './route.ts'

const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const committedWallet = v.object({
  status: v.literal('committed'),
  walletId: id,
  userId: id,
  generation,
  address: evmAddress,
  recoveryMethod: v.picklist(recoveryMethods),
})
const pendingWallet = v.object({
  status: v.literal('pending'),
  walletId: id,
  userId: id,
  generation,
  sealingKey: serverSealingKeySchema,
})
export type CommittedWallet = v.InferOutput<typeof committedWallet>
export type PendingWallet = v.InferOutput<typeof pendingWallet>

export const walletRoutes = {
  walletToken: {
    says: 'A wallet token of 60 s for the vault with this public key.',
    method: 'POST',
    path: '/wallets/token',
    auth: 'dialog',
    effect: 'changes',
    appHeader: true,
    body: v.object({ publicKey: sealingKey }),
    output: v.object({ token: text }),
    errors: ['must_be_authenticated', 'too_many_requests'],
  },
  walletStatus: {
    says: 'The EVM wallet of the user as the server pins it, or null.',
    method: 'GET',
    path: '/wallets',
    auth: 'wallet',
    effect: 'reads',
    appHeader: true,
    output: v.object({ wallet: v.nullable(committedWallet) }),
    errors: ['missing_or_invalid_token', 'insufficient_scope'],
  },
  beginWallet: {
    says: 'Opens the one place that a user has for a wallet of this chain, or tells the wallet that is in it.',
    method: 'POST',
    path: '/wallets/begin',
    auth: 'wallet',
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
      /** `walletProofText` signed by the new key. */
      proof: hex,
    }),
    output: committedWallet,
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'invalid_data',
      'embedded_wallet_not_found',
      'share_malformed',
    ],
  },
  releaseShares: {
    says: 'The shares that the server holds, sealed to the vault of the token: for a signature the auth share, for a recovery both.',
    method: 'POST',
    path: '/wallets/shares',
    auth: 'wallet',
    effect: 'changes',
    appHeader: true,
    body: v.object({ address: evmAddress, purpose: v.picklist(['sign', 'recover']) }),
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
