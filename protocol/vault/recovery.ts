/** The recovery share as the server stores it, one schema per recovery method. */
import * as v from 'valibot'
import { base64url, id, text } from '../entities/primitives.ts'
import { product } from '../names/product.ts'
import { sealedShareSchema } from './shares.ts'

const byServer = v.object({ method: v.literal(product.automaticRecovery), share: sealedShareSchema })
const byPassword = v.object({
  method: v.literal('user-passcode'),
  /** A JSON envelope, which only the vault and the server parse. */
  envelope: text,
  /** The access key, sealed to the server. */
  access: sealedShareSchema,
})
/** Clouds with a private folder per app. */
export const cloudRecoveries = ['google-drive', 'icloud'] as const
export type CloudRecovery = (typeof cloudRecoveries)[number]

/** User-owned recovery methods. */
export const userRecoveries = ['user-passcode', ...cloudRecoveries, 'passkey'] as const
export type UserRecovery = (typeof userRecoveries)[number]

/**
 * The key is a file in the user's cloud. The envelope is sealed in transit, so that the page that transfers the file
 * never sees both.
 */
const byCloud = v.object({ method: v.picklist(cloudRecoveries), envelope: sealedShareSchema })

/** Identifies the passkey with the key. The envelope is sealed in transit, because a page handles the key material. */
const byPasskey = v.object({
  method: v.literal('passkey'),
  envelope: sealedShareSchema,
  credentialId: base64url,
})

/** The stored recovery share of a generation. */
export const storedRecoveryShareSchema = v.variant('method', [byServer, byPassword, byCloud, byPasskey])
export type StoredRecoveryShare = v.InferOutput<typeof storedRecoveryShareSchema>
/** The stored recovery share of a user-owned method. */
export const ownRecoverySchema = v.variant('method', [byPassword, byCloud, byPasskey])
export type OwnRecovery = v.InferOutput<typeof ownRecoverySchema>

/** A proof that the user knows the wallet's password, sealed to a key of the server. */
export const sealedAccessSchema = v.object({ sealingKeyId: id, sealed: sealedShareSchema })
