/**
 * The window in which a user gives what keeps their wallet: a page of the wallet's origin, at the top, with an address
 * bar. It finds the wallet frame by a handle that the dialog made for this one opening. What the user types or what their
 * passkey gives goes from that page to the vault, sealed; the dialog hears that it was given, and what came of it. Who keeps their wallet in a cloud signs in to it in a window that this page opens:
 * what the cloud answers goes to this page, and from it to the wallet frame.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'

/** `update`: something of the same kind is there and goes. */
export const recoveryWindowPurposes = ['recover', 'set', 'update'] as const
export type RecoveryWindowPurpose = (typeof recoveryWindowPurposes)[number]

/** The methods whose secret is given in such a window itself. */
export const windowRecoveries = ['user-passcode', 'passkey'] as const
export type WindowRecovery = (typeof windowRecoveries)[number]

/** A path on the wallet's hostname. */
export const recoveryPath = (appId: string) => `/apps/${appId}/recovery`

/** Where Google sends a browser back to, on the wallet's hostname. */
export const cloudCallbackPath = '/recovery/callback/google-drive'

/**
 * How the page at that path tells the window that has the state, and hears that it was heard. Both are pages of the
 * wallet's origin at the top of their windows, and nobody else has this channel.
 */
export const cloudChannel = {
  name: `${product.key}:recovery:cloud`,
  answer: 'answer',
  heard: 'heard',
} as const

/** Why a cloud gave nothing, as the dialog may hear it. */
export const cloudRefusals = [
  'oauth_user_denied',
  'client_request_timeout',
  'disallowed_recovery_method',
  'oauth_unexpected',
] as const

const given = v.record(v.string(), v.unknown())

/** What an authenticator is to be asked, as the server said it. The page parses it. */
export const passkeyToAskSchema = v.object({ options: given, salt: base64url })

/** What did not work with what was given before. */
export const recoveryProblemSchema = v.object({
  code: v.pipe(v.string(), v.maxLength(64)),
  retryAfterSeconds: v.exactOptional(v.number()),
})
export type ReportedRecoveryProblem = v.InferOutput<typeof recoveryProblemSchema>

/** What an authenticator said of a new passkey, for the server to register. */
export const newPasskeySchema = given
