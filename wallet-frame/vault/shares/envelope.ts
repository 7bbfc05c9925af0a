/**
 * A share at rest: `v · alg · kdf · params · gen · nonce · ct`, AES-256-GCM.
 *
 * The associated data is the canonical context of the share. So a ciphertext of another app, user, wallet,
 * kind, chain, generation, role or address does not open. An unknown version gets its own error code and its
 * bytes stay unchanged, because a newer release wrote them.
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  canonicalShareContext,
  keyEnvelopeSchema,
  type PasskeyEnvelope,
  type PasswordEnvelope,
  type PasswordParams,
  passkeyEnvelopeSchema,
  passwordEnvelopeSchema,
  type ShareContext,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import type { SecretBytes } from '../keys/secret-bytes.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

const envelopeSchema = v.variant('kdf', [
  /** The key is a CryptoKey of this device, or is in the user's recovery file. */
  keyEnvelopeSchema,
  /** The key is derived from the user's password. */
  passwordEnvelopeSchema,
  /** The key is derived from the PRF output of the user's passkey. */
  passkeyEnvelopeSchema,
])
export type Envelope = v.InferOutput<typeof envelopeSchema>

export type EnvelopeRefusal =
  | 'malformed'
  | 'unknown_version'
  | 'wrong_generation'
  | 'bad_nonce'
  | 'too_short'
  | 'not_authentic'

const refusalCodes = {
  malformed: 'envelope_malformed',
  bad_nonce: 'envelope_malformed',
  too_short: 'envelope_malformed',
  unknown_version: 'envelope_unknown_version',
  wrong_generation: 'envelope_refused',
  not_authentic: 'envelope_refused',
} as const satisfies Record<EnvelopeRefusal, string>

export const refuseEnvelope = (reason: EnvelopeRefusal, cause?: unknown): LatchkeyError =>
  new LatchkeyError(refusalCodes[reason], 'The stored share could not be opened', {
    details: { reason },
    cause,
  })

export const sealEnvelope = async (
  key: CryptoKey,
  share: SecretBytes,
  context: ShareContext,
): Promise<Envelope> => ({ ...(await seal(key, share, context)), kdf: 'none', params: {} })

export const sealUnderPassword = async (
  key: CryptoKey,
  params: PasswordParams,
  share: SecretBytes,
  context: ShareContext,
): Promise<PasswordEnvelope> => ({ ...(await seal(key, share, context)), kdf: 'argon2id', params })

export const sealUnderPasskey = async (
  key: CryptoKey,
  share: SecretBytes,
  context: ShareContext,
): Promise<PasskeyEnvelope> => ({ ...(await seal(key, share, context)), kdf: 'webauthn-prf', params: {} })

async function seal(key: CryptoKey, share: SecretBytes, context: ShareContext) {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const ct = await crypto.subtle.encrypt(algorithm(nonce, context), key, share)
  return {
    v: VERSION,
    alg: 'A256GCM',
    gen: context.generation,
    nonce: base64urlnopad.encode(nonce),
    ct: base64urlnopad.encode(new Uint8Array(ct)),
  } as const
}

export async function openEnvelope(
  key: CryptoKey,
  stored: unknown,
  context: ShareContext,
): Promise<SecretBytes> {
  const envelope = parseEnvelope(stored)
  if (envelope.gen !== context.generation) throw refuseEnvelope('wrong_generation')
  const nonce = decodeBase64url(envelope.nonce, 'bad_nonce')
  const ct = decodeBase64url(envelope.ct, 'malformed')
  if (nonce.length !== NONCE_BYTES) throw refuseEnvelope('bad_nonce')
  if (ct.length <= TAG_BYTES) throw refuseEnvelope('too_short')
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(nonce, context), key, ct))
  } catch (error) {
    throw refuseEnvelope('not_authentic', error)
  }
}

/** Parses the JSON of an envelope that is stored elsewhere. */
export function parseEnvelopeText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuseEnvelope('malformed', error)
  }
}

export function parseEnvelope(stored: unknown): Envelope {
  const versioned = v.safeParse(v.looseObject({ v: v.number() }), stored)
  if (!versioned.success) throw refuseEnvelope('malformed')
  if (versioned.output.v !== VERSION) throw refuseEnvelope('unknown_version')
  const envelope = v.safeParse(envelopeSchema, stored)
  if (!envelope.success) throw refuseEnvelope('malformed')
  return envelope.output
}

/** Decodes base64url. Throws for a non-canonical spelling, so that each value has one. */
function decodeBase64url(text: string, refusal: EnvelopeRefusal): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64urlnopad.decode(text))
  } catch (error) {
    throw refuseEnvelope(refusal, error)
  }
}

const algorithm = (iv: Uint8Array<ArrayBuffer>, context: ShareContext) => ({
  name: 'AES-GCM',
  iv,
  additionalData: canonicalShareContext(context),
  tagLength: TAG_BYTES * 8,
})
