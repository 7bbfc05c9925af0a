import * as v from 'valibot'
import { hex } from '../entities/chain-primitives.ts'
import { chainTypes } from '../entities/chain-types.ts'
import { recoveryMethods } from '../entities/linked-account.ts'
import { id, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { walletAddress } from '../entities/wallet-address.ts'
import type { Routes } from '../rows/route.ts'
import { confirmationHandle } from '../vault/confirmed.ts'
import { vaultKeySchema } from '../vault/operations.ts'
import { walletPurposeSchema } from '../vault/purposes.ts'
import { keptRecoverySchema } from '../vault/recovery.ts'
import { sealedShareSchema, serverSealingKeySchema, shareKinds } from '../vault/shares.ts'
import { mfaTokenField } from './mfa/token.ts'

const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Which wallet, and which of the secrets that it had. */
const line = {
  walletId: id,
  userId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation,
}

export const committedWalletSchema = v.object({
  status: v.literal('committed'),
  ...line,
  address: walletAddress,
  recoveryMethod: v.picklist(recoveryMethods),
})
const pendingWallet = v.object({
  status: v.literal('pending'),
  ...line,
  sealingKey: serverSealingKeySchema,
})
export type CommittedWallet = v.InferOutput<typeof committedWalletSchema>
export type PendingWallet = v.InferOutput<typeof pendingWallet>

/** The dialog asks for tokens, and for nothing else. The statement of the vault whose key this is goes in a header. */
export const walletTokenRoutes = {
  walletToken: {
    method: 'POST',
    path: '/wallets/token',
    auth: 'dialog',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({
      ...vaultKeySchema.entries,
      purpose: walletPurposeSchema,
      /** The wallet that the step is about; null for purposes that name none. */
      address: v.nullable(walletAddress),
      /** Of what is to be signed; null for every other purpose. */
      confirmation: v.nullable(confirmationHandle),
    }),
    output: v.object({ token: text }),
  },
} as const satisfies Routes

export const walletRoutes = {
  walletStatus: {
    method: 'GET',
    path: '/wallets',
    auth: 'wallet',
    forks: false,
    purposes: ['connect'],
    effect: 'reads',
    appHeader: true,
    output: v.object({ wallet: committedWalletSchema }),
  },
  beginWallet: {
    method: 'POST',
    path: '/wallets/begin',
    auth: 'wallet',
    forks: false,
    purposes: ['create', 'import'],
    effect: 'changes',
    appHeader: true,
    body: v.object({ chainType: v.picklist(chainTypes) }),
    output: v.variant('status', [pendingWallet, committedWalletSchema]),
  },
  commitWallet: {
    method: 'POST',
    path: '/wallets/commit',
    auth: 'wallet',
    forks: false,
    purposes: ['create', 'import'],
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      walletId: id,
      generation,
      address: walletAddress,
      sealingKeyId: id,
      authShare: sealedShareSchema,
      recovery: keptRecoverySchema,
      /** `walletProofBytes`, signed by the new key as its chain signs: their digest on Ethereum, themselves on Solana. */
      proof: hex,
    }),
    /** `user` has the wallet, so that nobody has to ask for it again. */
    output: v.object({ wallet: committedWalletSchema, user: userRecordSchema }),
  },
  releaseShares: {
    method: 'POST',
    path: '/wallets/shares',
    auth: 'wallet',
    forks: false,
    purposes: ['sign', 'recover', 'export'],
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(mfaTokenField),
    output: v.object({
      wallet: committedWalletSchema,
      authShare: sealedShareSchema,
      recoveryShare: v.nullable(sealedShareSchema),
      /** The origin of the dapp for which a user approved this on the page of the wallet, where one asked through a relay. */
      relayedFor: v.exactOptional(text),
    }),
  },
} as const satisfies Routes
