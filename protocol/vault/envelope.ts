/**
 * A recovery share encrypted with a key that only the user has, as the server stores it: `v · alg · kdf · params · gen
 * · nonce · ct`, AES-256-GCM. The vault creates and opens it. The server only sees its generation.
 */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'

export const sealedEnvelope = {
  v: v.literal(1),
  alg: v.literal('A256GCM'),
  gen: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  nonce: base64url,
  ct: base64url,
} as const

/** Encrypted with a random key, without derivation. */
export const keyEnvelopeSchema = v.strictObject({
  ...sealedEnvelope,
  kdf: v.literal('none'),
  params: v.strictObject({}),
})
export type KeyEnvelope = v.InferOutput<typeof keyEnvelopeSchema>
/** Encrypted with a key derived from a passkey's PRF. */
export const passkeyEnvelopeSchema = v.strictObject({
  ...sealedEnvelope,
  kdf: v.literal('webauthn-prf'),
  params: v.strictObject({}),
})
export type PasskeyEnvelope = v.InferOutput<typeof passkeyEnvelopeSchema>
