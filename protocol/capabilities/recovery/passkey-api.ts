/**
 * A wallet that a passkey brings back. The dialog has the passkey made or asked, because only a page of its origin may;
 * what it answers goes to the server by the wallet frame, for a step of its vault.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { sealedShareSchema } from '../../vault/shares.ts'
import { mfaTokenField } from '../mfa/token.ts'
import { assertion, assertionOptions, attestation, attestationOptions } from '../passkey/api.ts'
import { committedWalletSchema } from '../wallets.ts'

const call = { method: 'POST', forks: false, appHeader: true, effect: 'changes, replayed' } as const
const byUser = { ...call, auth: 'dialog', body: v.object({}) } as const
/** What the PRF of the passkey is given, besides the options. */
const salt = base64url

export const recoveryPasskeyRoutes = {
  beginRecoveryPasskey: {
    ...byUser,
    path: '/recovery/passkeys/register/init',
    output: v.object({ options: attestationOptions, salt }),
  },
  registerRecoveryPasskey: {
    ...byUser,
    path: '/recovery/passkeys/register',
    body: v.object({ authenticatorResponse: attestation }),
    output: v.object({ credentialId: base64url }),
  },
  askRecoveryPasskey: {
    ...byUser,
    path: '/recovery/passkeys/init',
    output: v.object({ options: assertionOptions, salt }),
  },
  releaseByPasskey: {
    ...call,
    auth: 'wallet',
    path: '/wallets/recovery/passkey',
    purposes: ['recover'],
    body: v.object({ authenticatorResponse: assertion, ...mfaTokenField }),
    output: v.object({
      wallet: committedWalletSchema,
      authShare: sealedShareSchema,
      /** What the key of the passkey opens. */
      recoveryShare: sealedShareSchema,
    }),
  },
} as const satisfies Routes

const ofUser = ['must_be_authenticated', 'insufficient_scope'] as const

export const recoveryPasskeyDoc: RoutesDoc<typeof recoveryPasskeyRoutes> = {
  beginRecoveryPasskey: {
    summary:
      'Makes the challenge of a new passkey that is to keep a wallet and to log nobody in, and the salt of its PRF.',
    errors: [...ofUser, 'disallowed_recovery_method'],
  },
  registerRecoveryPasskey: {
    summary:
      'Takes the passkey that answered, for the wallet that the wallet frame has it keep within half an hour.',
    errors: [...ofUser, 'disallowed_recovery_method', 'invalid_credentials', 'too_many_requests'],
  },
  askRecoveryPasskey: {
    summary:
      'Makes the challenge for the passkey that keeps the wallet of the user, which it names, with the salt of its PRF.',
    errors: [...ofUser, 'embedded_wallet_not_found', 'disallowed_recovery_method'],
  },
  releaseByPasskey: {
    summary:
      'The shares of a wallet that a passkey keeps, for what that passkey answered to a challenge of this session, which is used up; each try is counted before it is checked. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'embedded_wallet_not_found',
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'invalid_recovery_pin',
      'disallowed_recovery_method',
    ],
  },
}
