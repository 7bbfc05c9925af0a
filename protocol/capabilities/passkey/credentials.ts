/**
 * WebAuthn options and credentials. A separate module, because the wallet pages use it without the passkey login.
 */
import * as v from 'valibot'
import { base64url, text } from '../../entities/primitives.ts'
import { passkeyLimits } from './limits.ts'

const option = v.exactOptional
const bytes = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/), v.maxLength(passkeyLimits.maxResponseLength))
const word = v.pipe(v.string(), v.maxLength(passkeyLimits.maxWordLength))
const words = v.pipe(v.array(word), v.maxLength(passkeyLimits.maxTransports))

const userVerification = v.picklist(['required', 'preferred', 'discouraged'])
const credential = v.object({ id: base64url, type: v.literal('public-key'), transports: option(words) })
const extensions = option(
  v.object({
    appId: option(text),
    credProps: option(v.object({ rk: option(v.boolean()) })),
    hmacCreateSecret: option(v.boolean()),
  }),
)

/** Options for `navigator.credentials.get()`. Bytes are base64url. */
export const assertionOptions = v.object({
  challenge: base64url,
  timeout: option(v.number()),
  rpId: option(text),
  allowCredentials: option(v.array(credential)),
  userVerification: option(userVerification),
  extensions,
})
export type AssertionOptions = v.InferOutput<typeof assertionOptions>

export const attestationOptions = v.object({
  rp: v.object({ name: text, id: option(text) }),
  user: v.object({ id: base64url, name: text, displayName: text }),
  challenge: base64url,
  pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
  timeout: option(v.number()),
  excludeCredentials: option(v.array(credential)),
  authenticatorSelection: option(
    v.object({
      authenticatorAttachment: option(v.picklist(['platform', 'cross-platform'])),
      requireResidentKey: option(v.boolean()),
      residentKey: option(v.picklist(['required', 'preferred', 'discouraged'])),
      userVerification: option(userVerification),
    }),
  ),
  attestation: option(v.picklist(['none', 'indirect', 'direct', 'enterprise'])),
  extensions,
})
export type AttestationOptions = v.InferOutput<typeof attestationOptions>

const createCredentialSchema = <const E extends v.ObjectEntries>(response: E) =>
  v.object({
    id: base64url,
    rawId: base64url,
    response: v.object({ clientDataJson: bytes, ...response }),
    authenticatorAttachment: option(v.nullable(word)),
    clientExtensionResults: v.object({
      appId: option(v.boolean()),
      credProps: option(v.object({ rk: option(v.boolean()) })),
      hmacCreateSecret: option(v.boolean()),
    }),
    type: v.literal('public-key'),
  })

export const assertion = createCredentialSchema({
  authenticatorData: bytes,
  signature: bytes,
  userHandle: option(v.nullable(base64url)),
})
export type Assertion = v.InferOutput<typeof assertion>

export const attestation = createCredentialSchema({
  attestationObject: bytes,
  authenticatorData: option(bytes),
  transports: option(words),
  publicKey: option(v.nullable(bytes)),
  publicKeyAlgorithm: option(v.number()),
})
export type Attestation = v.InferOutput<typeof attestation>
