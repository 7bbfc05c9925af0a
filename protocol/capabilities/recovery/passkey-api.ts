/**
 * Recovery by passkey. The dialog requests the challenges. The wallet frame submits the passkey's answer for a step of
 * its vault.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { sealedShareSchema } from '../../vault/shares.ts'
import { mfaTokenField } from '../mfa/token.ts'
import { assertion, assertionOptions, attestation, attestationOptions } from '../passkey/credentials.ts'
import { committedWalletSchema } from '../wallets.ts'

const call = { method: 'POST', forks: false, appHeader: true, effect: 'changes, replayed' } as const
const byUser = { ...call, auth: 'dialog', body: v.object({}) } as const
/** The PRF input, which is separate from the options. */
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
      /** Encrypted with the key that the passkey derives. */
      recoveryShare: sealedShareSchema,
    }),
  },
} as const satisfies Routes

const userErrors = ['must_be_authenticated', 'insufficient_scope'] as const

export const recoveryPasskeyDoc: RoutesDoc<typeof recoveryPasskeyRoutes> = {
  beginRecoveryPasskey: {
    summary:
      'Creates the challenge for a new recovery passkey, which cannot log in, and the salt of its PRF.',
    errors: [...userErrors, 'disallowed_recovery_method'],
  },
  registerRecoveryPasskey: {
    summary:
      'Registers the passkey that answered. The wallet frame must use it for a wallet within 30 minutes.',
    errors: [...userErrors, 'disallowed_recovery_method', 'invalid_credentials', 'too_many_requests'],
  },
  askRecoveryPasskey: {
    summary:
      "Creates the challenge for the recovery passkey of the user's wallet, and returns the salt of its PRF.",
    errors: [...userErrors, 'embedded_wallet_not_found', 'disallowed_recovery_method'],
  },
  releaseByPasskey: {
    summary:
      "Releases the shares of a wallet with passkey recovery for the passkey's answer to a challenge of this session, which is consumed. Each try is counted before it is checked. If the user has a second factor, `mfa_token` must be a verification for this operation, and it is consumed.",
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
