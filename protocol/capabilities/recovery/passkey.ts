/**
 * Recovery by the PRF of a passkey (https://www.w3.org/TR/webauthn-3/#prf-extension): 32 bytes that the authenticator
 * derives from a salt. The relying party is the wallet's hostname, so only a window of the wallet origin can evaluate
 * it. The window derives a secret and seals it to the vault, which derives the key of one wallet and generation. The
 * server stores the share encrypted under that key and the credential id. It requires a signed challenge before it
 * releases anything, and never receives the PRF output.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import type { OperationStep } from '../../vault/operations.ts'
import { canonical, canonicalShareContext, type ShareContext, sealedShareSchema } from '../../vault/shares.ts'

/** The id of a new passkey, or the answer of an existing one. */
export const recoveryPasskeyAnswerSchema = v.object({
  /** Sealed by the recovery window to the vault of the operation. */
  secret: sealedShareSchema,
  /** The id of the new recovery passkey. */
  credentialId: v.exactOptional(base64url),
  /** The existing passkey's answer to the server's challenge. */
  authenticatorResponse: v.exactOptional(v.record(v.string(), v.unknown())),
})

export type RecoveryPasskeyAnswer = v.InferOutput<typeof recoveryPasskeyAnswerSchema>

/** The salt is the SHA-256 of this text. It depends on the challenge, so another salt cannot be substituted. */
export const createPasskeySaltInput = (challenge: string) =>
  `${product.key}/recovery-passkey/salt/1\n${challenge}`

export const passkeyInfo = {
  /** The window derives this secret from the PRF. Only the sealed secret leaves the window. */
  secret: `${product.key}/recovery-passkey/secret/1`,
  secretToVault: `${product.key}/recovery-passkey/to-vault/1`,
} as const

/** Binds the secret to one step of one operation. */
export const canonicalPasskeyContext = (operation: OperationStep) =>
  canonical(['passkey', operation.id, String(operation.step)])

/** The derivation info of the key that encrypts the recovery share of one wallet and generation. */
export const passkeyKeyInfo = (context: ShareContext) =>
  canonical([
    `${product.key}/recovery-passkey/encryption/1`,
    new TextDecoder().decode(canonicalShareContext(context)),
  ])
