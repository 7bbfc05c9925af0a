/**
 * A passkey opens a wallet by its PRF (https://www.w3.org/TR/webauthn-3/#prf-extension): 32 bytes that its
 * authenticator makes of a salt, the same ones each time, and for nobody who does not hold it. Its relying party is the
 * hostname of the wallet, so a window of the wallet's origin alone may ask: it derives what it seals to the vault, which
 * derives the key of one wallet and generation from that. The server keeps what is encrypted under that key and which
 * passkey it was, has that passkey sign a challenge of its own before it gives anything out, and never has any of these
 * bytes.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import type { OperationStep } from '../../vault/operations.ts'
import { canonical, canonicalShareContext, type ShareContext, sealedShareSchema } from '../../vault/shares.ts'

/** A new passkey is named, one that is there has answered. */
export const recoveryPasskeyAnswerSchema = v.object({
  /** Sealed by the page of the wallet to the vault of the operation. */
  secret: sealedShareSchema,
  /** The id of the passkey that keeps the wallet from now on. */
  credentialId: v.exactOptional(base64url),
  /** The answer of the passkey that keeps the wallet, to the challenge of the server. */
  authenticatorResponse: v.exactOptional(v.record(v.string(), v.unknown())),
})

export type RecoveryPasskeyAnswer = v.InferOutput<typeof recoveryPasskeyAnswerSchema>

/** The salt is the SHA-256 of this: who makes the passkey takes it from the challenge, so that nobody names another. */
export const createPasskeySaltInput = (challenge: string) =>
  `${product.key}/recovery-passkey/salt/1\n${challenge}`

export const passkeyInfo = {
  /** The window derives this secret from the PRF: it is all that leaves the window, and it leaves sealed. */
  secret: `${product.key}/recovery-passkey/secret/1`,
  secretToVault: `${product.key}/recovery-passkey/to-vault/1`,
} as const

/** What was given for one step of one operation opens in no other. */
export const canonicalPasskeyContext = (operation: OperationStep) =>
  canonical(['passkey', operation.id, String(operation.step)])

/** The derivation info of the key that encrypts the recovery share of one wallet and generation. */
export const passkeyKeyInfo = (context: ShareContext) =>
  canonical([
    `${product.key}/recovery-passkey/encryption/1`,
    new TextDecoder().decode(canonicalShareContext(context)),
  ])
