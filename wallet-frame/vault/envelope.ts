/**
 * A share at rest: `v · alg · kdf · params · gen · nonce · ct`, AES-256-GCM.
 *
 * The associated data is the canonical context of the share, so that a ciphertext of another app, user, wallet,
 * generation, role or address does not open. A version that we do not know is reported by name and its bytes
 * are left as they are: a newer release wrote them and can read them.
 */
import { base64url, canonicalShareContext, LatchkeyError, type ShareContext } from '@latchkey/protocol'
import * as v from 'valibot'
import { fromBase64url, toBase64url } from './base64url.ts'
import type { SecretBytes } from './secret-bytes.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The key is a CryptoKey of this device, so there is nothing to derive: kdf is 'none'. */
export const envelopeSchema = v.strictObject({
  v: v.literal(VERSION),
  alg: v.literal('A256GCM'),
  kdf: v.literal('none'),
  params: v.strictObject({}),
  gen: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  nonce: base64url,
  ct: base64url,
})
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

export async function sealEnvelope(
  key: CryptoKey,
  share: SecretBytes,
  context: ShareContext,
): Promise<Envelope> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const ct = await crypto.subtle.encrypt(algorithm(nonce, context), key, share)
  return {
    v: VERSION,
    alg: 'A256GCM',
    kdf: 'none',
    params: {},
    gen: context.generation,
    nonce: toBase64url(nonce),
    ct: toBase64url(new Uint8Array(ct)),
  }
}

export async function openEnvelope(
  key: CryptoKey,
  stored: unknown,
  context: ShareContext,
): Promise<SecretBytes> {
  const envelope = parseEnvelope(stored)
  if (envelope.gen !== context.generation) throw refuseEnvelope('wrong_generation')
  const nonce = fromBase64url(envelope.nonce)
  const ct = fromBase64url(envelope.ct)
  if (nonce?.length !== NONCE_BYTES) throw refuseEnvelope('bad_nonce')
  if (ct === undefined || ct.length <= TAG_BYTES) throw refuseEnvelope('too_short')
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(nonce, context), key, ct))
  } catch (error) {
    throw refuseEnvelope('not_authentic', error)
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

const algorithm = (iv: Uint8Array<ArrayBuffer>, context: ShareContext) => ({
  name: 'AES-GCM',
  iv,
  additionalData: canonicalShareContext(context),
  tagLength: TAG_BYTES * 8,
})
