/**
 * A wallet that a passkey brings back. The dialog has the passkey made or asked, because only a page of its origin may;
 * what it answers goes to the server by the wallet frame, for a step of its vault.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import type { Routes } from '../../rows/route.ts'
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
