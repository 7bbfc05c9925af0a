/**
 * The recovery window: a top-level page of the wallet origin with an address bar. It finds the wallet frame by a handle
 * that the dialog created for this window. The page seals the user's password or passkey secret to the vault; the
 * dialog only learns that it was entered, and the outcome. For a cloud, the page opens the cloud's sign-in in another
 * window and forwards the result to the wallet frame.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'

/** `update` replaces an existing secret of the same method. */
export const recoveryWindowPurposes = ['recover', 'set', 'update'] as const
export type RecoveryWindowPurpose = (typeof recoveryWindowPurposes)[number]

/** Recovery methods with a secret that the user enters in the recovery window. */
export const windowRecoveries = ['user-passcode', 'passkey'] as const
export type WindowRecovery = (typeof windowRecoveries)[number]

/** A path on the wallet's hostname. */
export const recoveryPath = (appId: string) => `/apps/${appId}/recovery`

/** The OAuth redirect path on the wallet's hostname. */
export const cloudCallbackPath = '/recovery/callback/google-drive'

/**
 * The BroadcastChannel between the callback page and the window with the OAuth state, with an acknowledgement. Only
 * top-level pages of the wallet origin share this channel.
 */
export const cloudChannel = {
  name: `${product.key}:recovery:cloud`,
  answer: 'answer',
  heard: 'heard',
} as const

/** Cloud failures that are reported to the dialog. */
export const cloudRefusals = [
  'oauth_user_denied',
  'client_request_timeout',
  'disallowed_recovery_method',
  'oauth_unexpected',
] as const

const unknownRecord = v.record(v.string(), v.unknown())

/** WebAuthn options from the server. The recovery window validates them. */
export const passkeyToAskSchema = v.object({ options: unknownRecord, salt: base64url })

/** The problem with the previous input. */
export const recoveryProblemSchema = v.object({
  code: v.pipe(v.string(), v.maxLength(64)),
  retryAfterSeconds: v.exactOptional(v.number()),
})
export type ReportedRecoveryProblem = v.InferOutput<typeof recoveryProblemSchema>

/** The attestation of a new passkey, which the server registers. */
export const newPasskeySchema = unknownRecord
