/** How a wallet gets another recovery, and how one that its user keeps comes back. Called by the wallet frame. */
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
    /** What shows that the user knows the password. */
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
      /** The generation of the shares that are to be made: no other attempt has it. */
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
      /** The digest of `walletProofBytes` with the new generation, signed by the wallet's key. */
      proof: hex,
    }),
    /** What was kept, as it was read back. */
    output: v.object({ authShare: sealedShareSchema, recovery: storedOwnRecoverySchema }),
  },
  commitReshare: {
    ...setting,
    path: '/wallets/reshare/commit',
    effect: 'changes, replayed',
    body: v.object({ generation }),
    /** The wallet has another generation than was asked for where another attempt was quicker. */
    output: v.object({ wallet: committedWalletSchema, user: userRecordSchema }),
  },
  /** Neither replayed nor kept: the token is in this one answer, and nowhere else. */
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

const ofStep = ['missing_or_invalid_token', 'insufficient_scope'] as const
const ofToken = [...ofStep, 'embedded_wallet_not_found'] as const

export const recoveryDoc: RoutesDoc<typeof recoveryRoutes> = {
  passwordParams: {
    summary:
      'What Argon2id takes beside the password of this wallet, and the key that the access key is sealed to.',
    errors: [...ofToken, 'disallowed_recovery_method'],
  },
  releaseByPassword: {
    summary:
      'The shares of a wallet that is recovered by a password, for what shows that the user knows it; each try is counted before it is compared. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [
      ...ofToken,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'invalid_recovery_pin',
      'disallowed_recovery_method',
    ],
  },
  beginReshare: {
    summary:
      'The auth share of the present generation, and the number of another one that is to be made. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [
      ...ofToken,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'method_too_new',
    ],
  },
  keepReshare: {
    summary:
      'Keeps the shares of a new generation beside those of the present one, reads them back and gives them to the vault.',
    errors: [...ofToken, 'disallowed_recovery_method', 'invalid_data', 'share_malformed'],
  },
  commitReshare: {
    summary:
      'Makes the new generation the present one, if the present one is still that which it was made from. What was before is gone.',
    errors: [...ofToken, 'invalid_data'],
  },
  authenticateCloudRecovery: {
    summary:
      'The token that opens the folder of the app in the Drive of the user, for their wallet frame. It is kept nowhere, and a code is redeemed once. A code that says `undefined` was denied by its person.',
    errors: [
      ...ofStep,
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
      "Which container of the operator's the files lie in, and the token of its web services, which opens nothing by itself.",
    errors: [...ofStep, 'disallowed_recovery_method'],
  },
}
