/**
 * A share under a key that only the user has, as it lies at the server: `v · alg · kdf · params · gen · nonce · ct`,
 * AES-256-GCM. The vault makes and opens it; whoever keeps it sees of which generation it is.
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

/** Under a key as it is: there is nothing to derive. */
export const keyEnvelopeSchema = v.strictObject({
  ...sealedEnvelope,
  kdf: v.literal('none'),
  params: v.strictObject({}),
})
export type KeyEnvelope = v.InferOutput<typeof keyEnvelopeSchema>
/** Under a key that was made of what a passkey gives. */
export const passkeyEnvelopeSchema = v.strictObject({
  ...sealedEnvelope,
  kdf: v.literal('webauthn-prf'),
  params: v.strictObject({}),
})
export type PasskeyEnvelope = v.InferOutput<typeof passkeyEnvelopeSchema>
