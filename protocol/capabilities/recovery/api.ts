/** Calls of the wallet frame that change a wallet's recovery method, or recover a wallet by password or cloud. */
import * as v from 'valibot'
import { id, text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import { hex } from '../../entities/wallets/chain-primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { cloudRecoveries, ownRecoverySchema, sealedAccessSchema } from '../../vault/recovery.ts'
import { sealedShareSchema, serverSealingKeySchema } from '../../vault/shares.ts'
import { mfaTokenField } from '../mfa/token.ts'
import { committedWalletSchema } from '../wallets.ts'
import { cloudCodeSchema } from './cloud-code.ts'
import { clientType } from './clouds.ts'
import { passwordParamsSchema } from './password.ts'
import { storedOwnRecoverySchema } from './read-back.ts'

const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const call = { auth: 'wallet', forks: false, appHeader: true } as const
const setting = { ...call, method: 'POST', purposes: ['set-recovery'] } as const

export const recoveryRoutes = {
  passwordParams: {
    ...call,
    method: 'GET',
    path: '/wallets/recovery/password',
    purposes: ['recover'],
    effect: 'reads',
    output: v.object({
      wallet: committedWalletSchema,
      params: passwordParamsSchema,
      sealingKey: serverSealingKeySchema,
    }),
  },
  releaseByPassword: {
    ...call,
    method: 'POST',
    path: '/wallets/recovery/shares',
    purposes: ['recover'],
    effect: 'changes, replayed',
    /** The proof that the user knows the password. */
    body: v.object({ access: sealedAccessSchema, ...mfaTokenField }),
    output: v.object({
      wallet: committedWalletSchema,
      authShare: sealedShareSchema,
      recoveryEnvelope: text,
    }),
  },
  beginReshare: {
    ...setting,
    path: '/wallets/reshare/begin',
    effect: 'changes, replayed',
    body: v.object(mfaTokenField),
    output: v.object({
      wallet: committedWalletSchema,
      authShare: sealedShareSchema,
      /** The generation of the new shares, unique to this attempt. */
      generation,
      sealingKey: serverSealingKeySchema,
    }),
  },
  keepReshare: {
    ...setting,
    path: '/wallets/reshare/keep',
    effect: 'changes',
    body: v.object({
      generation,
      sealingKeyId: id,
      authShare: sealedShareSchema,
      recovery: ownRecoverySchema,
      /** The wallet key's signature over the digest of `walletProofBytes` for the new generation. */
      proof: hex,
    }),
    /** The stored shares, as read back from the database. */
    output: v.object({ authShare: sealedShareSchema, recovery: storedOwnRecoverySchema }),
  },
  commitReshare: {
    ...setting,
    path: '/wallets/reshare/commit',
    effect: 'changes, replayed',
    body: v.object({ generation }),
    /** The wallet has a different generation if another attempt committed first. */
    output: v.object({ wallet: committedWalletSchema, user: userRecordSchema }),
  },
  /** Never stored for replay: the token is only in this response. */
  authenticateCloudRecovery: {
    ...call,
    method: 'POST',
    path: '/recovery/oauth/authenticate',
    purposes: ['create', 'import', 'recover', 'set-recovery'],
    effect: 'changes',
    body: v.object({ ...cloudCodeSchema.entries, provider: v.picklist(cloudRecoveries) }),
    output: v.object({ accessToken: text }),
  },
  icloudConfiguration: {
    ...call,
    method: 'POST',
    path: '/recovery/configuration_icloud',
    purposes: ['create', 'import', 'recover', 'set-recovery'],
    effect: 'reads',
    body: v.object({ clientType }),
    output: v.object({
      apiToken: text,
      containerIdentifier: text,
      environment: v.picklist(['development', 'production']),
    }),
  },
} as const satisfies Routes

const stepErrors = ['missing_or_invalid_token', 'insufficient_scope'] as const
const walletErrors = [...stepErrors, 'embedded_wallet_not_found'] as const

export const recoveryDoc: RoutesDoc<typeof recoveryRoutes> = {
  passwordParams: {
    summary: 'Returns the Argon2id parameters of this wallet, and the key to seal the access key to.',
    errors: [...walletErrors, 'disallowed_recovery_method'],
  },
  releaseByPassword: {
    summary:
      'Releases the shares of a wallet with password recovery for a proof that the user knows the password. Each try is counted before it is compared. If the user has a second factor, `mfa_token` must be a verification for this operation, and it is consumed.',
    errors: [
      ...walletErrors,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'invalid_recovery_pin',
      'disallowed_recovery_method',
    ],
  },
  beginReshare: {
    summary:
      'Starts a reshare. Returns the auth share of the current generation and the number of the next one. If the user has a second factor, `mfa_token` must be a verification for this operation, and it is consumed.',
    errors: [
      ...walletErrors,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'method_too_new',
    ],
  },
  keepReshare: {
    summary:
      'Stores the shares of a new generation next to the current ones, reads them back and returns them to the vault.',
    errors: [...walletErrors, 'disallowed_recovery_method', 'invalid_data', 'share_malformed'],
  },
  commitReshare: {
    summary:
      'Makes the new generation current, if the generation that it was made from still is. The old shares are deleted.',
    errors: [...walletErrors, 'invalid_data'],
  },
  authenticateCloudRecovery: {
    summary:
      "Returns an access token for the app's folder in the user's Google Drive, for the wallet frame. The token is not stored, and a code is redeemed once. The code `undefined` means that the user denied access.",
    errors: [
      ...stepErrors,
      'disallowed_recovery_method',
      'invalid_credentials',
      'pkce_state_code_mismatch',
      'invalid_pkce_parameters',
      'oauth_user_denied',
      'oauth_account_suspended',
      'oauth_unexpected',
      'too_many_requests',
    ],
  },
  icloudConfiguration: {
    summary:
      "Returns the operator's iCloud container and its web services token. The token alone grants no access.",
    errors: [...stepErrors, 'disallowed_recovery_method'],
  },
}
