import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { hex } from '../entities/wallets/chain-primitives.ts'
import { chainTypes } from '../entities/wallets/chain-types.ts'
import { recoveryMethods } from '../entities/wallets/wallet-account.ts'
import { walletAddress } from '../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { confirmationHandle } from '../vault/confirmed.ts'
import { vaultKeySchema } from '../vault/operations.ts'
import { walletPurposeSchema } from '../vault/purposes.ts'
import { storedRecoveryShareSchema } from '../vault/recovery.ts'
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
      /** The confirmation of what is to be signed; null for every other purpose. */
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
      recovery: storedRecoveryShareSchema,
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
      /** Its user approved this on the page of the wallet. */
      approvedOnPage: v.exactOptional(v.literal(true)),
    }),
  },
} as const satisfies Routes

export const walletTokenDoc: RoutesDoc<typeof walletTokenRoutes> = {
  walletToken: {
    summary:
      "A wallet token of 60 s for one step of a vault's operation, where the device of the session has stated that step in the header `latchkey-device`; without one, with another's, or for a forked session, `device_not_bound`. It names the vault's key, the operation and step, what it is for, and the wallet; and for what a person is asked for (a signature, an export, a deletion, the removal of a method), the digest that was confirmed. For an automatic recovery by a user who has nothing but new methods to show, it is `method_too_new`; `details.until` says, in epoch seconds, from when on they count, and `details.hours` how long a method is new.",
    errors: [
      'must_be_authenticated',
      'device_not_bound',
      'invalid_data',
      'embedded_wallet_not_found',
      'too_many_requests',
      'not_found',
      'approval_required_elsewhere',
      'user_rejected_request',
      'token_already_used',
      'method_too_new',
    ],
  },
}

export const walletDoc: RoutesDoc<typeof walletRoutes> = {
  walletStatus: {
    summary: 'The wallet of the token as the server pins it.',
    errors: ['missing_or_invalid_token', 'insufficient_scope', 'embedded_wallet_not_found'],
  },
  beginWallet: {
    summary:
      'Opens the one place that a user has for a wallet of this chain, or tells the wallet that is in it.',
    errors: ['missing_or_invalid_token', 'insufficient_scope'],
  },
  commitWallet: {
    summary:
      'Fills the place with this wallet if it is still open; whoever comes second gets the wallet that is there. An address that another user of the app has linked, or whose key they have kept here, is `linked_to_another_user`.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'invalid_data',
      'embedded_wallet_not_found',
      'share_malformed',
      'linked_to_another_user',
    ],
  },
  releaseShares: {
    summary:
      'The shares that the server releases for the purpose of the token, sealed to its vault, for its step: for a signature the auth share, which opens to sign the digest of the token alone, for an export the same, for a recovery both, of a wallet that no password recovers. Where the user keeps a key in their own cloud, `recovery_share` is what that key opens. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this; so is the confirmation of a signature or an export. If the login and the verification are both new to the user, it is `method_too_new`, except for a recovery with a password, a passkey or a cloud. An export is told to the user by mail.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'embedded_wallet_not_found',
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'disallowed_recovery_method',
      'method_too_new',
      'not_found',
      'approval_required_elsewhere',
      'user_rejected_request',
      'token_already_used',
    ],
  },
}
