/** What the server keeps so that a recovery share can come back, a shape a method. */
import * as v from 'valibot'
import { base64url, id, text } from '../entities/primitives.ts'
import { product } from '../names/product.ts'
import { sealedShareSchema } from './shares.ts'

const byServer = v.object({ method: v.literal(product.automaticRecovery), share: sealedShareSchema })
const byPassword = v.object({
  method: v.literal('user-passcode'),
  /** The JSON of one, which only the vault and the server read. */
  envelope: text,
  /** The access key, sealed to the server. */
  access: sealedShareSchema,
})
/** Clouds in which a user has a folder for what apps keep there for them. */
export const cloudRecoveries = ['google-drive', 'icloud'] as const
export type CloudRecovery = (typeof cloudRecoveries)[number]

/** What a user keeps themselves. */
export const userRecoveries = ['user-passcode', ...cloudRecoveries, 'passkey'] as const
export type UserRecovery = (typeof userRecoveries)[number]

/**
 * A file in the user's own cloud has the key. The envelope travels sealed both ways, so that the page that carries the
 * file never has the two of them.
 */
const byCloud = v.object({ method: v.picklist(cloudRecoveries), envelope: sealedShareSchema })

/** Which passkey has the key. The envelope travels sealed both ways, since a page had what the key is made of. */
const byPasskey = v.object({
  method: v.literal('passkey'),
  envelope: sealedShareSchema,
  credentialId: base64url,
})

/** What comes of the recovery share of a generation, a shape a method. */
export const storedRecoveryShareSchema = v.variant('method', [byServer, byPassword, byCloud, byPasskey])
export type StoredRecoveryShare = v.InferOutput<typeof storedRecoveryShareSchema>
/** The same where the user is the one who keeps it. */
export const ownRecoverySchema = v.variant('method', [byPassword, byCloud, byPasskey])
export type OwnRecovery = v.InferOutput<typeof ownRecoverySchema>

/** What shows that somebody knows the password of a wallet, sealed to a key of the server. */
export const sealedAccessSchema = v.object({ sealingKeyId: id, sealed: sealedShareSchema })
