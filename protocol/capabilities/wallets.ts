import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { hex } from '../entities/wallets/chain-primitives.ts'
import { chainTypes } from '../entities/wallets/chain-types.ts'
import { recoveryMethods } from '../entities/wallets/wallet-account.ts'
import { solanaAddress, walletAddress } from '../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { confirmationHandle } from '../vault/confirmed.ts'
import { vaultKeySchema } from '../vault/operations.ts'
import { generation, pendingWalletSchema, walletLine } from '../vault/pending-wallet.ts'
import { walletPurposeSchema } from '../vault/purposes.ts'
import { storedRecoveryShareSchema } from '../vault/recovery.ts'
import { sealedShareSchema } from '../vault/shares.ts'
import { mfaTokenField } from './mfa/token.ts'

export const committedWalletSchema = v.object({
  status: v.literal('committed'),
  ...walletLine,
  address: walletAddress,
  /** The Solana address that the secret of this Ethereum wallet derives, if it is registered. */
  solanaAddress: v.exactOptional(solanaAddress),
  recoveryMethod: v.picklist(recoveryMethods),
})
export type CommittedWallet = v.InferOutput<typeof committedWalletSchema>

/** The dialog only requests tokens. The statement of the vault that owns the key is in a header. */
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
      /** The wallet of the step, or null for purposes without a wallet. */
      address: v.nullable(walletAddress),
      /** The confirmation of the operation, or null for purposes without one. */
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
    output: v.variant('status', [pendingWalletSchema, committedWalletSchema]),
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
      /**
       * The new key's signature over `walletProofBytes`: over their digest on Ethereum, over the bytes themselves on
       * Solana.
       */
      proof: hex,
    }),
    /** `user` includes the new wallet, which saves another request. */
    output: v.object({ wallet: committedWalletSchema, user: userRecordSchema }),
  },
  releaseShares: {
    method: 'POST',
    path: '/wallets/shares',
    auth: 'wallet',
    forks: false,
    purposes: ['sign', 'set-delegate', 'recover', 'export', 'solana-address'],
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(mfaTokenField),
    output: v.object({
      wallet: committedWalletSchema,
      authShare: sealedShareSchema,
      recoveryShare: v.nullable(sealedShareSchema),
      /** The origin of the relayed dapp for which the user approved this request on the wallet page. */
      relayedFor: v.exactOptional(text),
      /** The user approved this on the wallet page. */
      approvedOnPage: v.exactOptional(v.literal(true)),
    }),
  },
  addSolanaAddress: {
    method: 'POST',
    path: '/wallets/solana-address',
    auth: 'wallet',
    forks: false,
    purposes: ['solana-address'],
    effect: 'changes',
    appHeader: true,
    body: v.object({
      solanaAddress,
      /** The Ethereum key's signature over the digest of `solanaAddressProofBytes`. */
      proof: hex,
      /** The Solana key's signature over these bytes. */
      solanaProof: hex,
    }),
    output: v.object({ wallet: committedWalletSchema, user: userRecordSchema }),
  },
} as const satisfies Routes

export const walletTokenDoc: RoutesDoc<typeof walletTokenRoutes> = {
  walletToken: {
    summary:
      "Creates a wallet token, valid for 60 s, for one step of a vault operation. The session's device must state the step in the header `latchkey-device`. A missing or foreign statement, or a forked session, is `device_not_bound`. The token names the vault key, operation, step, purpose and wallet. For purposes that need approval (signature, export, deletion, removal of a method), it also names the confirmed digest. An automatic recovery by a user who only has new methods is `method_too_new`: `details.until` is the time in epoch seconds from which a method counts, `details.hours` how long a method is new.",
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
      'embedded_wallet_already_exists',
    ],
  },
}

export const walletDoc: RoutesDoc<typeof walletRoutes> = {
  walletStatus: {
    summary: 'Returns the wallet of the token.',
    errors: ['missing_or_invalid_token', 'insufficient_scope', 'embedded_wallet_not_found'],
  },
  beginWallet: {
    summary:
      "Reserves the user's only wallet slot of this chain, or returns the wallet that already fills it.",
    errors: ['missing_or_invalid_token', 'insufficient_scope'],
  },
  commitWallet: {
    summary:
      'Stores the wallet in the reserved slot. If another attempt committed first, returns its wallet. An address that another user of the app linked or imported is `linked_to_another_user`.',
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
      "Releases the server's shares for the purpose and step of the token, sealed to its vault. `sign`, `export` and `solana-address` release the auth share; for `sign`, it only opens to sign the digest of the token. `recover` releases both shares, unless the wallet has a password. For a cloud recovery, `recovery_share` is encrypted with the key in the user's cloud. If the user has a second factor, `mfa_token` must be a verification for this operation, and it is consumed. The confirmation of a signature or an export is consumed too. If the login and the verification are both new, the call is `method_too_new`, except for a recovery with a password, a passkey or a cloud. The user is notified of an export by mail.",
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
  addSolanaAddress: {
    summary:
      'Registers the Solana address that the vault derived from the secret of the Ethereum wallet. Both keys must have signed it. Without the app setting `solana_beside_ethereum`, and for a user with another Solana address, the call is `embedded_wallet_already_exists`.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'invalid_data',
      'embedded_wallet_not_found',
      'embedded_wallet_already_exists',
      'not_supported',
      'linked_to_another_user',
    ],
  },
}
